// In:  GET /v1/payments/{uid}.
// Out: api/temporal/door.ts asks workflows/payment/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { paymentAnswer } from '../answers/payment.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { PaymentAnswer } from '../schemas/payment.schema.js';
import { isDecided, watched } from '../wait.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/payments/{uid}',
  operationId: 'getPayment',
  tags: ['payments'],
  summary: 'Where a payment stands',
  ...needsKey('read'),
  request: { params: UidParams, query: WaitQuery },
  responses: { 200: json('The payment.', PaymentAnswer), ...problems(400, 401, 403, 404, 503) },
});

export function registerGetPayment(router: Router, { temporal, temporalUi, clock }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid } = c.req.valid('param');
    const read = async () => {
      const found = await temporal.payments.view(uid);
      if (found === undefined) throw notFound('a payment');
      return found;
    };
    const { wait: seconds } = c.req.valid('query');
    const view = await watched(await read(), {
      read,
      isOver: isDecided,
      seconds,
      signal: c.req.raw.signal,
      clock,
    });
    return c.json({ data: paymentAnswer(temporalUi, view) }, 200);
  });
}
