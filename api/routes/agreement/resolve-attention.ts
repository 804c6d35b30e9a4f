import { ResolveAttention } from '../../../domain/agreement/action.schema.js';
import { AgreementAnswer, agreementAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { scopedKey } from '../../http/idempotency.js';
import { AttentionParams, KeyHeaders } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/agreements/{uid}/attention/{code}/resolution',
  operationId: 'resolveAttention',
  tags: ['agreements'],
  summary: 'Resolve an attention flag of an agreement',
  access: 'operate',
  connection: 'agreement',
  request: { params: AttentionParams, headers: KeyHeaders, body: bodyOf(ResolveAttention) },
  answers: { 200: json('Resolved. The timeline shows the principal and the reason.', AgreementAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const resolveAttention = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid, code } = c.req.valid('param');
  const { reason, decision } = c.req.valid('json');
  const key = scopedKey(c, c.req.valid('header')['Idempotency-Key']);
  await temporal.agreements.resolveAttention(uid, { key, code, reason, decision, by: c.get('principal') });
  const view = found(await temporal.agreements.view(uid), 'an agreement');
  return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
});
