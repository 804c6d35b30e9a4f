// In:  POST /v1/agreements/{uid}/reactivation.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts, which passes it on to the provider.
import { createRoute } from '@hono/zod-openapi';
import { command, plainCommandRoute } from '../agreement-command.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  ...plainCommandRoute('/v1/agreements/{uid}/reactivation'),
  operationId: 'reactivateAgreement',
  summary: 'Resume an agreement that we have paused; what the payer paused, only the payer resumes',
});

export function registerReactivateAgreement(router: Router, dependencies: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const key = c.req.valid('header')['Idempotency-Key'];
    const ask = { kind: 'reactivation', body: c.req.valid('json') } as const;
    const { wait } = c.req.valid('query');
    return c.json(await command(dependencies, { uid, key, ask, wait, signal: c.req.raw.signal }), 202);
  });
}
