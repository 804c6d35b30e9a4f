import { contract, endpoint, json } from '../../http/contract.js';
import { PaymentsQuery } from '../../http/list-parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { ListedPaymentsAnswer, paymentAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/payments',
  operationId: 'listAllPayments',
  tags: ['payments'],
  summary: 'List payments by state, attention flag or time of request',
  request: { query: PaymentsQuery },
  answers: { 200: json(ONE_PAGE, ListedPaymentsAnswer) },
});

export const listAllPayments = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { payments } = dependencies.temporal;
  const read = payments.list;
  return c.json(await answerOf(dependencies, 'payments', query, { read, answer: paymentAnswer }), 200);
});
