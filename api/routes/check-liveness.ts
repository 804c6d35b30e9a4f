// In:  GET /healthz.
// Out: nothing; the process lives if it answers.
import { createRoute } from '@hono/zod-openapi';
import { json } from '../contract.js';
import type { Router } from '../env.js';
import { Alive } from '../schemas/operations.schema.js';

const route = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'checkLiveness',
  tags: ['operations'],
  summary: 'Whether the process lives',
  responses: { 200: json('It does.', Alive) },
});

export function registerCheckLiveness(router: Router): void {
  router.openapi(route, (c) => c.json({ status: 'alive' as const }, 200));
}
