import { contract, endpoint, json } from '../../http/contract.js';
import { RefundsQuery } from '../../http/list-parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { ListedRefundsAnswer, refundAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/refunds',
  operationId: 'listAllRefunds',
  tags: ['payments'],
  summary: 'List refunds by state, attention flag or time of request',
  request: { query: RefundsQuery },
  answers: { 200: json(ONE_PAGE, ListedRefundsAnswer) },
});

export const listAllRefunds = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { refunds } = dependencies.temporal;
  const read = refunds.list;
  return c.json(await answerOf(dependencies, 'refunds', query, { read, answer: refundAnswer }), 200);
});
