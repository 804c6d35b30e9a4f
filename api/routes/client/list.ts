import { contract, endpoint, json } from '../../http/contract.js';
import { ClientsQuery } from '../../http/parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { ClientsAnswer, clientSummary } from './answer.schema.js';

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
  const read = (cursor: string | undefined) => clients.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'clients', query, { read, answer: clientSummary }), 200);
});
