import { contract, endpoint, json } from '../../http/contract.js';
import { CounterpartiesQuery } from '../../http/list-parameters.schema.js';
import type { CounterpartyView } from '../../../workflows/counterparty/contract.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { CounterpartiesAnswer, counterpartyAnswer } from './answer.schema.js';

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
  const read = counterparties.list;
  const answer = (ui: TemporalUi, view: CounterpartyView) =>
    counterpartyAnswer(ui, view, c.get('apiKey')?.scopes.includes('operate') === true);
  const page = await answerOf(dependencies, 'counterparties', query, { read, answer });
  return c.json(page, 200);
});
