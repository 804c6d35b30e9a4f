// In:  POST /v1/agreements/{uid}/amendment/recall.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts, which passes it on to the provider.
import { createRoute } from '@hono/zod-openapi';
import { command, plainCommandRoute } from '../agreement-command.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  ...plainCommandRoute('/v1/agreements/{uid}/amendment/recall'),
  operationId: 'recallAmendment',
  summary: 'Take back an amendment that the payer has not decided on',
});

export function registerRecallAmendment(router: Router, dependencies: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const key = c.req.valid('header')['Idempotency-Key'];
    const ask = { kind: 'amendment_recall', body: c.req.valid('json') } as const;
    const { wait } = c.req.valid('query');
    return c.json(await command(dependencies, { uid, key, ask, wait, signal: c.req.raw.signal }), 202);
  });
}
