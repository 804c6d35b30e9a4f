import { contract, endpoint, json } from '../../http/contract.js';
import { CounterpartiesQuery } from '../../http/parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { CounterpartiesAnswer, counterpartySummary } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/counterparties',
  operationId: 'listCounterparties',
  tags: ['counterparties'],
  summary: 'List counterparties by pending event or attention flag',
  request: { query: CounterpartiesQuery },
  answers: { 200: json(ONE_PAGE, CounterpartiesAnswer) },
});

export const listCounterparties = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { counterparties } = dependencies.temporal;
  const read = (cursor: string | undefined) => counterparties.list({ ...query, cursor });
  const page = await answerOf(dependencies, 'counterparties', query, { read, answer: counterpartySummary });
  return c.json(page, 200);
});
