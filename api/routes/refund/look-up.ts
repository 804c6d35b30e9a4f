import { contract, endpoint, json, noBody } from '../../http/contract.js';
import { UidParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { RefundAnswer, refundAnswer } from './answer.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/refunds/{uid}/look-up',
  operationId: 'lookUpRefund',
  tags: ['payments'],
  summary: 'Look up a refund at the provider now (idempotent)',
  access: 'write',
  connection: 'refund',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('The look-up is in progress. The refund shows its result.', RefundAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpRefund = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  await temporal.refunds.lookUp(uid);
  const view = found(await temporal.refunds.view(uid), 'a refund');
  return c.json({ data: refundAnswer(temporalUi, view) }, 202);
});
