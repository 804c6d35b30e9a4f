// In:  GET /v1/connections/{id}.
// Out: api/temporal/door.ts asks workflows/connection/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { connectionAnswer } from '../answers/connection.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { ConnectionAnswer } from '../schemas/connection.schema.js';
import { ConnectionParams } from '../schemas/parameters.schema.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/connections/{id}',
  operationId: 'getConnection',
  tags: ['connections'],
  summary: 'The health of a connection, and what a person should do about it',
  ...needsKey('read'),
  request: { params: ConnectionParams },
  responses: { 200: json('The connection.', ConnectionAnswer), ...problems(400, 401, 403, 404, 503) },
});

export function registerGetConnection(router: Router, dependencies: ApiDependencies): void {
  const { temporal, temporalUi: ui, authorisation } = dependencies;
  router.openapi(route, async (c) => {
    const found = await temporal.connections.view(c.req.valid('param').id);
    if (found === undefined) throw notFound('a connection');
    return c.json({ data: connectionAnswer(found, { ui, neededScopes: authorisation.scopes }) }, 200);
  });
}
