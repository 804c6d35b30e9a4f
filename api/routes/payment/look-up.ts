import { contract, endpoint, json, noBody } from '../../http/contract.js';
import { UidParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { PaymentAnswer, paymentAnswer } from './answer.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/payments/{uid}/look-up',
  operationId: 'lookUpPayment',
  tags: ['payments'],
  summary: 'Look up a payment at the provider now (idempotent)',
  access: 'write',
  connection: 'payment',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('The look-up is in progress. The payment shows its result.', PaymentAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpPayment = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  await temporal.payments.lookUp(uid);
  const view = found(await temporal.payments.view(uid), 'a payment');
  return c.json({ data: paymentAnswer(temporalUi, view) }, 202);
});
