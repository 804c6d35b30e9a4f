// In:  POST /v1/payments/{uid}/look-up, POST /v1/refunds/{uid}/look-up.
// Out: api/gateway/create.ts updates the workflow of each, which asks the provider.
import { PaymentAnswer, paymentAnswer } from './answer.schema.js';
import { RefundAnswer, refundAnswer } from '../refund/answer.schema.js';
import { contract, endpoint, json, noBody } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { UidParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/payments/{uid}/look-up',
  operationId: 'lookUpPayment',
  tags: ['payments'],
  summary: 'Look a payment up at the provider now; repeats are harmless',
  access: 'write',
  connection: 'payment',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('It is being asked; the payment shows what it answers.', PaymentAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpPayment = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  await temporal.payments.lookUp(uid);
  const view = found(await temporal.payments.view(uid), 'a payment');
  return c.json({ data: paymentAnswer(temporalUi, view) }, 202);
});

const ofRefund = contract({
  method: 'post',
  path: '/v1/refunds/{uid}/look-up',
  operationId: 'lookUpRefund',
  tags: ['payments'],
  summary: 'Look a refund up at the provider now; repeats are harmless',
  access: 'write',
  connection: 'refund',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('It is being asked; the refund shows what it answers.', RefundAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpRefund = endpoint(ofRefund, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  await temporal.refunds.lookUp(uid);
  const view = found(await temporal.refunds.view(uid), 'a refund');
  return c.json({ data: refundAnswer(temporalUi, view) }, 202);
});
