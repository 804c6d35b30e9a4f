// In:  GET /readyz.
// Out: api/temporal/door.ts asks whether Temporal is there.
import { createRoute } from '@hono/zod-openapi';
import { json, problems } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { ApiError } from '../errors.js';
import { Ready } from '../schemas/operations.schema.js';

const route = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'checkReadiness',
  tags: ['operations'],
  summary: 'Whether Temporal answers',
  responses: { 200: json('It does.', Ready), ...problems(503) },
});

export function registerCheckReadiness(router: Router, { temporal }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    await temporal.ready().catch((cause: unknown) => {
      throw new ApiError('temporal_unavailable', 'Temporal did not answer within a second.', { cause });
    });
    return c.json({ status: 'ready' as const }, 200);
  });
}
