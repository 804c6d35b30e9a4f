import { contract, endpoint, json } from '../../http/contract.js';
import { ClientsQuery } from '../../http/list-parameters.schema.js';
import type { ClientView } from '../../../workflows/client/contract.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { ClientsAnswer, clientAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/clients',
  operationId: 'listClients',
  tags: ['clients'],
  summary: 'List clients by state or attention flag',
  request: { query: ClientsQuery },
  answers: { 200: json(ONE_PAGE, ClientsAnswer) },
});

export const listClients = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { clients } = dependencies.temporal;
  const read = clients.list;
  const answer = (ui: TemporalUi, view: ClientView) => clientAnswer(ui, view, undefined);
  return c.json(await answerOf(dependencies, 'clients', query, { read, answer }), 200);
});
