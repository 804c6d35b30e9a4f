import { contract, endpoint, json } from '../../http/contract.js';
import { AgreementsQuery } from '../../http/list-parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { AgreementsAnswer, agreementAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/agreements',
  operationId: 'listAgreements',
  tags: ['agreements'],
  summary: 'List agreements by state, pending event or attention flag',
  request: { query: AgreementsQuery },
  answers: { 200: json(ONE_PAGE, AgreementsAnswer) },
});

export const listAgreements = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { agreements } = dependencies.temporal;
  const read = agreements.list;
  return c.json(await answerOf(dependencies, 'agreements', query, { read, answer: agreementAnswer }), 200);
});
