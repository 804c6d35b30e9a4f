// In:  POST /v1/agreements/{uid}/payments.
// Out: api/temporal/door.ts updates workflows/agreement/workflow.ts, which starts workflows/payment/workflow.ts.
import { createRoute } from '@hono/zod-openapi';
import { CreatePayment } from '../../domain/payment.schema.js';
import { paymentAnswer } from '../answers/payment.js';
import { jsonBody } from '../body.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { paymentUidFrom } from '../idempotency.js';
import { IdempotencyHeaders, UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { PaymentAnswer } from '../schemas/payment.schema.js';
import { isDecided, watched } from '../wait.js';
import { bodyOf, json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'post',
  path: '/v1/agreements/{uid}/payments',
  operationId: 'requestPayment',
  tags: ['payments'],
  summary: 'Take a payment under an agreement; its uid, or the Idempotency-Key, makes repeats harmless',
  ...needsKey('write'),
  middleware: jsonBody,
  request: { params: UidParams, query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreatePayment) },
  responses: {
    202: json('Admitted, now or before; its outcome comes later.', PaymentAnswer),
    ...problems(400, 401, 403, 404, 409, 410, 413, 415, 422, 503),
  },
});

export function registerRequestPayment(
  router: Router,
  { temporal, temporalUi, clock }: ApiDependencies,
): void {
  router.openapi(route, async (c) => {
    const agreementUid = c.req.valid('param').uid;
    const { uid: named, ...order } = c.req.valid('json');
    const uid = named ?? paymentUidFrom(agreementUid, c.req.valid('header')['Idempotency-Key']);
    const admitted = await temporal.payments.request(uid, { agreement_uid: agreementUid, ...order });
    const view = await watched(admitted, {
      read: async () => (await temporal.payments.view(uid)) ?? admitted,
      isOver: isDecided,
      seconds: c.req.valid('query').wait,
      signal: c.req.raw.signal,
      clock,
    });
    return c.json({ data: paymentAnswer(temporalUi, view) }, 202);
  });
}
