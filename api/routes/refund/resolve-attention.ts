import { ResolveAttention } from '../../../domain/agreement/action.schema.js';
import { approvedRequest, namesOf } from '../../http/approval.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { scopedKey } from '../../http/idempotency.js';
import { AttentionParams, KeyHeaders } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { RefundAnswer, refundAnswer } from './answer.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/refunds/{uid}/attention/{code}/resolution',
  operationId: 'resolveRefundAttention',
  tags: ['payments'],
  summary: 'Resolve an attention flag of a refund',
  access: 'operate',
  connection: 'refund',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: {
    200: json('Resolved. The refund continues as decided.', RefundAnswer),
  },
  problems: [404, 409, 422, 429, 503],
});

export const resolveRefundAttention = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { uid, code } = c.req.valid('param');
  const { reason, decision } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  // Its decision may send the refund again.
  const requestedBy =
    code === 'parked' ? await approvedRequest(c, dependencies, stated.route.operationId) : undefined;
  const by = namesOf(requestedBy, c.get('principal'));
  await temporal.refunds.resolveAttention(uid, { key, code, reason, decision, by });
  const view = found(await temporal.refunds.view(uid), 'a refund');
  return c.json({ data: refundAnswer(temporalUi, view) }, 200);
});
