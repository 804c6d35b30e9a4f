import { agreementWorkflowId } from '../../../workflows/agreement/contract.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { isAnswered, viewInTime, waitOf } from '../../http/wait.js';
import { AgreementAnswer, agreementAnswer } from './answer.schema.js';

const stated = contract({
  method: 'get',
  access: 'read',
  request: { params: UidParams, query: WaitQuery },
  problems: [404, 503],
  path: '/v1/agreements/{uid}',
  operationId: 'getAgreement',
  tags: ['agreements'],
  summary: 'Get an agreement',
  connection: 'agreement',
  answers: { 200: json('The agreement.', AgreementAnswer) },
});

export const getAgreement = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi } = dependencies;
  const { uid } = c.req.valid('param');
  const read = () => temporal.agreements.view(uid);
  const view = await viewInTime({
    what: 'an agreement',
    read,
    isOver: isAnswered,
    ...waitOf(dependencies, c, agreementWorkflowId(uid)),
  });
  return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
});
