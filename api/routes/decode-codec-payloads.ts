// In:  POST /codec/decode, from Temporal's UI in an operator's browser, or from Temporal's CLI.
// Out: api/codec/payloads.ts opens them. There is no way to have anything sealed.
import { createRoute } from '@hono/zod-openapi';
import { jsonBodyUpTo } from '../body.js';
import { admitOrigins, answerOrigins, requireNamespace, requireOperator } from '../codec/access.js';
import { decodePayload } from '../codec/payloads.js';
import { CODEC_COOKIE } from '../codec/session.js';
import { bodyOf, json, needsKey, problems } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { CodecPayloads, NamespaceHeader } from '../schemas/codec.schema.js';

const PATH = '/codec/decode';
/** What Temporal hands out at once is 4 MiB at the most: a third more in base64, and what its small payloads say of themselves. */
const LIMIT = 8 * 1024 * 1024;

const route = createRoute({
  method: 'post',
  path: PATH,
  operationId: 'decodeCodecPayloads',
  tags: ['operations'],
  summary: 'Open sealed payloads, for Temporal’s UI and CLI',
  ...needsKey('operate'),
  security: [{ apiKey: [] }, { codecSession: [] }],
  request: { headers: NamespaceHeader, body: bodyOf(CodecPayloads) },
  responses: {
    200: json('As many, in the same order. One that cannot be opened says why.', CodecPayloads),
    ...problems(400, 401, 403, 413, 415),
  },
});

export function registerDecodeCodecPayloads(router: Router, dependencies: ApiDependencies): void {
  const { codec, keyring, log } = dependencies;
  router.openAPIRegistry.registerComponent('securitySchemes', 'codecSession', {
    type: 'apiKey',
    in: 'cookie',
    name: CODEC_COOKIE,
    description: 'Set by /codec/login, for an hour.',
  });
  router.use(PATH, admitOrigins(codec), answerOrigins(codec));
  const middleware = [requireOperator(dependencies), requireNamespace(codec), ...jsonBodyUpTo(LIMIT)];
  router.openapi({ ...route, middleware }, (c) => {
    const decoded = c.req
      .valid('json')
      .payloads.map((payload) => decodePayload(keyring, codec.namespace, payload));
    const unopened = decoded.filter(({ outcome }) => outcome === 'unopened').length;
    log[unopened > 0 ? 'warn' : 'info']('payloads decoded', {
      request_id: c.get('requestId'),
      api_key_id: c.get('apiKeyId'),
      payloads: decoded.length,
      unopened,
    });
    return c.json({ payloads: decoded.map(({ payload }) => payload) }, 200);
  });
}
