// In:  POST /v1/agreements/{uid}/suspension.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts, which passes it on to the provider.
import { createRoute } from '@hono/zod-openapi';
import { SuspendAgreement } from '../../domain/action.schema.js';
import { command, commandRoute } from '../agreement-command.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  ...commandRoute('/v1/agreements/{uid}/suspension', SuspendAgreement),
  operationId: 'suspendAgreement',
  summary: 'Pause an agreement; no payment is taken meanwhile',
});

export function registerSuspendAgreement(router: Router, dependencies: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const key = c.req.valid('header')['Idempotency-Key'];
    const ask = { kind: 'suspension', body: c.req.valid('json') } as const;
    const { wait } = c.req.valid('query');
    return c.json(await command(dependencies, { uid, key, ask, wait, signal: c.req.raw.signal }), 202);
  });
}
