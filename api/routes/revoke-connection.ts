// In:  POST /v1/connections/{id}/revocation.
// Out: api/temporal/door.ts updates workflows/connection/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { RevokeConnection } from '../../domain/connection.schema.js';
import { connectionAnswer } from '../answers/connection.js';
import { jsonBody } from '../body.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { ConnectionAnswer } from '../schemas/connection.schema.js';
import { ConnectionParams } from '../schemas/parameters.schema.js';
import { bodyOf, json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/connections/{id}/revocation',
  operationId: 'revokeConnection',
  tags: ['connections'],
  summary: 'Have our tokens forgotten; what belongs to the connection waits until someone consents again',
  description:
    'Workers stop using the token within a minute. The provider documents no call that would revoke its side: the merchant ' +
    'takes the consent back there.',
  ...needsKey('operate'),
  middleware: jsonBody,
  request: { params: ConnectionParams, body: bodyOf(RevokeConnection) },
  responses: {
    200: json('Its tokens are forgotten; `attention` says by whom and why.', ConnectionAnswer),
    ...problems(400, 401, 403, 404, 413, 415, 503),
  },
});

export function registerRevokeConnection(router: Router, dependencies: ApiDependencies): void {
  const { temporal, temporalUi: ui, authorisation } = dependencies;
  router.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { reason } = c.req.valid('json');
    const view = await temporal.connections.revoke(id, { reason, by: c.get('apiKeyId') });
    return c.json({ data: connectionAnswer(view, { ui, neededScopes: authorisation.scopes }) }, 200);
  });
}
