// In:  GET /v1/payments/{uid}.
// Out: api/temporal/door.ts asks workflows/payment/workflow.ts.
import { PaymentAnswer, paymentAnswer } from '../answers/payment.schema.js';
import { contract, endpoint, json } from '../contract.js';
import { found } from '../errors.js';
import { UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { isDecided, watched } from '../wait.js';

const stated = contract({
  method: 'get',
  path: '/v1/payments/{uid}',
  operationId: 'getPayment',
  tags: ['payments'],
  summary: 'Where a payment stands',
  access: 'read',
  connection: 'payment',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The payment.', PaymentAnswer) },
  problems: [404, 503],
});

export const getPayment = endpoint(stated, ({ temporal, temporalUi, clock }) => async (c) => {
  const { uid } = c.req.valid('param');
  const read = async () => found(await temporal.payments.view(uid), 'a payment');
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
