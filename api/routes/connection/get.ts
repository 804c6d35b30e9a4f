import { ConnectionAnswer, connectionAnswer } from './answer.schema.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { ConnectionParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'get',
  path: '/v1/connections/{id}',
  operationId: 'getConnection',
  tags: ['connections'],
  summary: 'Get a connection, its health and the next action',
  access: 'read',
  connection: 'path',
  request: { params: ConnectionParams },
  answers: { 200: json('The connection.', ConnectionAnswer) },
  problems: [404, 503],
});

export const getConnection = endpoint(stated, ({ temporal, temporalUi: ui, authorisation }) => async (c) => {
  const view = found(await temporal.connections.view(c.req.valid('param').id), 'a connection');
  return c.json({ data: connectionAnswer(view, { ui, neededScopes: authorisation.scopes }) }, 200);
});
