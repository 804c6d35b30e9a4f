// In:  POST /v1/connections/{id}/reauthorisation.
// Out: api/temporal/door.ts begins a new round of consent of workflows/connection/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { connectionAnswer } from '../answers/connection.js';
import { optionalJsonBody } from '../body.js';
import { consentUrl } from '../consent.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { ConnectionAnswer, NoFields } from '../schemas/connection.schema.js';
import { ConnectionParams, IdempotencyHeaders } from '../schemas/parameters.schema.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/connections/{id}/reauthorisation',
  operationId: 'reauthoriseConnection',
  tags: ['connections'],
  summary: 'Consent again: after a refusal, or to grant another scope',
  description:
    'Each call opens a round of consent and closes the one before it, whose link is good no more. A repeat with the same ' +
    'Idempotency-Key answers a link to the round that the key opened, for as long as a person can consent in it; once it is over ' +
    '(ten minutes have passed, it was used, or another call has closed it) a repeat opens a new one, so that the link in the ' +
    'answer always works.',
  ...needsKey('write'),
  middleware: optionalJsonBody,
  request: {
    params: ConnectionParams,
    headers: IdempotencyHeaders,
    body: { content: { 'application/json': { schema: NoFields } } },
  },
  responses: {
    200: json('Send a person to authorize_url; links to earlier rounds are good no more.', ConnectionAnswer),
    ...problems(400, 401, 403, 404, 413, 415, 503),
  },
});

export function registerReauthoriseConnection(router: Router, dependencies: ApiDependencies): void {
  const { temporal, temporalUi: ui, keyring, authorisation } = dependencies;
  router.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const round = await temporal.connections.renew(id, c.req.valid('header')['Idempotency-Key']);
    const found = await temporal.connections.view(id);
    if (found === undefined) throw notFound('a connection');
    const authorizeUrl = consentUrl(keyring, authorisation, id, round);
    const data = connectionAnswer(found, { ui, neededScopes: authorisation.scopes, authorizeUrl });
    return c.json({ data }, 200);
  });
}
