// In:  POST /v1/payments/{uid}/attention/{code}/resolution, and the same of /v1/refunds/{uid}.
// Out: api/gateway/create.ts updates the workflow of each.
import { ResolveAttention } from '../../../domain/agreement/action.schema.js';
import { PaymentAnswer, paymentAnswer } from './answer.schema.js';
import { RefundAnswer, refundAnswer } from '../refund/answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { scopedKey } from '../../http/idempotency.js';
import { AttentionParams, KeyHeaders } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/payments/{uid}/attention/{code}/resolution',
  operationId: 'resolvePaymentAttention',
  tags: ['payments'],
  summary: 'Lower a flag once an operator has dealt with it, with a reason; what the flag blocked goes on',
  access: 'operate',
  connection: 'payment',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: { 200: json('Lowered, now or before; what was decided is done from now on.', PaymentAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolvePaymentAttention = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const { reason, decision } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  await temporal.payments.resolveAttention(uid, { key, code, reason, decision, by: c.get('apiKeyId') });
  const view = found(await temporal.payments.view(uid), 'a payment');
  return c.json({ data: paymentAnswer(temporalUi, view) }, 200);
});

const ofRefund = contract({
  method: 'post',
  path: '/v1/refunds/{uid}/attention/{code}/resolution',
  operationId: 'resolveRefundAttention',
  tags: ['payments'],
  summary: 'Lower a flag of a refund once an operator has dealt with it, with a reason',
  access: 'operate',
  connection: 'refund',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: { 200: json('Lowered, now or before; what was decided is done from now on.', RefundAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolveRefundAttention = endpoint(ofRefund, ({ temporal, temporalUi }) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const { reason, decision } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  await temporal.refunds.resolveAttention(uid, { key, code, reason, decision, by: c.get('apiKeyId') });
  const view = found(await temporal.refunds.view(uid), 'a refund');
  return c.json({ data: refundAnswer(temporalUi, view) }, 200);
});
