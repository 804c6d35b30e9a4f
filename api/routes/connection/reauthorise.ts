import { ReauthoriseConnection } from '../../../domain/connection/request.schema.js';
import { ConnectionAnswer, connectionAnswer } from './answer.schema.js';
import { consentUrl } from './oauth-state.js';
import { contract, endpoint, json, optionalBodyOf, withScope } from '../../http/contract.js';
import { scopedKey } from '../../http/idempotency.js';
import { found } from '../../http/problems/errors.js';
import { ConnectionParams, IdempotencyHeaders } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections/{id}/reauthorisation',
  operationId: 'reauthoriseConnection',
  tags: ['connections'],
  summary: 'Consent again: after a refusal, or to grant another scope',
  description:
    'Each call opens a round of consent and closes the one before it, whose link is good no more. A repeat with the same ' +
    'Idempotency-Key answers a link to the round that the key opened, for as long as a person can consent in it; once it is over ' +
    '(ten minutes have passed, it was used, or another call has closed it) a repeat opens a new one, so that the link in the ' +
    'answer always works. A consent of another account than before is refused, but in a round that was opened with ' +
    'accept_other_account, for which the key needs the scope operate.',
  access: 'write',
  connection: 'path',
  request: {
    params: ConnectionParams,
    headers: IdempotencyHeaders,
    body: optionalBodyOf(ReauthoriseConnection),
  },
  answers: {
    200: json(
      'Send a person to authorize_url; links of earlier rounds are no longer valid.',
      ConnectionAnswer,
    ),
  },
  problems: [404, 429, 503],
});

export const reauthoriseConnection = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi: ui, keyring, authorisation } = dependencies;
  const { id } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  const key = c.req.valid('header')['Idempotency-Key'];
  // A reason is given for nothing else than to accept another account.
  const acceptance = reason && { by: withScope(c.get('apiKey'), 'operate').principal, reason };
  const use = key === undefined ? undefined : scopedKey(c, key);
  const round = await temporal.connections.renew(id, { key: use, ...(acceptance && { acceptance }) });
  const view = found(await temporal.connections.view(id), 'a connection');
  const authorizeUrl = consentUrl(keyring, authorisation, id, round);
  const data = connectionAnswer(view, { ui, neededScopes: authorisation.scopes, authorizeUrl });
  return c.json({ data }, 200);
});
