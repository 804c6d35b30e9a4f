import { contract, endpoint, json } from '../../http/contract.js';
import { ConnectionsQuery } from '../../http/list-parameters.schema.js';
import type { ConnectionView } from '../../../workflows/connection/contract.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { ConnectionsAnswer, connectionAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/connections',
  operationId: 'listConnections',
  tags: ['connections'],
  summary: 'List connections by status or attention flag',
  request: { query: ConnectionsQuery },
  answers: { 200: json(ONE_PAGE, ConnectionsAnswer) },
});

export const listConnections = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, authorisation } = dependencies;
  const answer = (ui: TemporalUi, view: ConnectionView) =>
    connectionAnswer(view, { ui, neededScopes: authorisation.scopes });
  const read = temporal.connections.list;
  return c.json(await answerOf(dependencies, 'connections', c.req.valid('query'), { read, answer }), 200);
});
