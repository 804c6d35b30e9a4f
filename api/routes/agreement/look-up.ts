import { AgreementAnswer, agreementAnswer } from './answer.schema.js';
import { contract, endpoint, json, noBody } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { UidParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/agreements/{uid}/look-up',
  operationId: 'lookUpAgreement',
  tags: ['agreements'],
  summary: 'Look up an agreement at the provider now (idempotent)',
  access: 'write',
  connection: 'agreement',
  request: { params: UidParams, body: noBody },
  answers: { 202: json('The look-up is in progress. The timeline shows its result.', AgreementAnswer) },
  problems: [404, 409, 429, 503],
});

export const lookUpAgreement = endpoint(stated, ({ temporal, temporalUi }) => async (c) => {
  const { uid } = c.req.valid('param');
  await temporal.agreements.lookUp(uid);
  const view = found(await temporal.agreements.view(uid), 'an agreement');
  return c.json({ data: agreementAnswer(temporalUi, view) }, 202);
});
