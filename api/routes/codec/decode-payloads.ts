import { admitOrigins, answerOrigins, identifyOperator, requireNamespace } from './access.js';
import { decodePayload } from './payloads.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { CodecPayloads, NamespaceHeader } from '../operations/bodies.schema.js';

const stated = contract({
  method: 'post',
  path: '/codec/decode',
  operationId: 'decodeCodecPayloads',
  tags: ['operations'],
  summary: 'Decode sealed payloads for Temporal’s UI and CLI',
  description:
    'Temporal’s UI and CLI call this to show payloads in clear; it implements the remote codec of Temporal. ' +
    'It decrypts only payloads of the namespace in `X-Namespace`, changes nothing, and never encrypts. ' +
    'Each use is in the audit log, with the workflows whose payloads were read. The session cookie of `/codec/login` identifies a caller too.',
  task: 'custody.md#read-encrypted-payloads',
  access: 'decode',
  connection: 'none',
  // Temporal returns at most 4 MiB at once. Base64 adds a third, and small payloads add metadata.
  maxBodyBytes: 8 * 1024 * 1024,
  request: { headers: NamespaceHeader, body: bodyOf(CodecPayloads) },
  answers: {
    200: json('The payloads in order. One that cannot be opened contains the reason.', CodecPayloads),
  },
});

/** A page of Temporal's UI shows the payloads of one workflow, and a list those of many. */
const MOST_NAMED = 100;

export const decodeCodecPayloads = endpoint(
  stated,
  ({ codec, keyring, log }) =>
    (c) => {
      const decoded = c.req
        .valid('json')
        .payloads.map((payload) => decodePayload(keyring, codec.namespace, payload));
      const unopened = decoded.filter(({ outcome }) => outcome === 'unopened').length;
      const workflows = [...new Set(decoded.flatMap(({ workflowId }) => workflowId ?? []))];
      c.set('audited', { workflows: workflows.slice(0, MOST_NAMED), payloads: decoded.length, unopened });
      log[unopened > 0 ? 'warn' : 'info']('payloads decoded', {
        request_id: c.get('requestId'),
        api_key_id: c.get('apiKey')?.id,
        principal: c.get('principal'),
        payloads: decoded.length,
        unopened,
      });
      return c.json({ payloads: decoded.map(({ payload }) => payload) }, 200);
    },
  {
    everyMethod: [admitOrigins, ({ codec }) => answerOrigins(codec)],
    identify: identifyOperator,
    afterAuthorisation: ({ codec }) => requireNamespace(codec),
  },
);
