// In:  GET /v1/agreements/{uid}.
// Out: api/temporal/door.ts asks workflows/agreement/workflow.ts.
import { AgreementAnswer, agreementAnswer } from '../answers/agreement.schema.js';
import { contract, endpoint, json } from '../contract.js';
import { found } from '../errors.js';
import { UidParams, WaitQuery } from '../schemas/parameters.schema.js';
import { isAnswered, watched } from '../wait.js';

const stated = contract({
  method: 'get',
  path: '/v1/agreements/{uid}',
  operationId: 'getAgreement',
  tags: ['agreements'],
  summary: 'Where an agreement stands',
  access: 'read',
  connection: 'agreement',
  request: { params: UidParams, query: WaitQuery },
  answers: { 200: json('The agreement.', AgreementAnswer) },
  problems: [404, 503],
});

export const getAgreement = endpoint(stated, ({ temporal, temporalUi, clock }) => async (c) => {
  const { uid } = c.req.valid('param');
  const read = async () => found(await temporal.agreements.view(uid), 'an agreement');
  const { wait: seconds } = c.req.valid('query');
  const view = await watched(await read(), {
    read,
    isOver: isAnswered,
    seconds,
    signal: c.req.raw.signal,
    clock,
  });
  return c.json({ data: agreementAnswer(temporalUi, view) }, 200);
});
