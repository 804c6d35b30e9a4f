// The pages of the commands of a connection, and of a new one.
import { pathTo } from '../../routes/links.js';
import { NEW_CONNECTION, connectionActions } from '../actions/of-connection.js';
import type { Connection } from '../answers.js';
import { parameter } from '../visit.js';
import { actionPages } from './command-forms.js';
import { connectionPage } from './connection.js';

export const connectionCommands = [
  ...actionPages<Connection>({
    path: '/console/connections/{id}/commands/{command}',
    operation: 'ConnectionCommand',
    noun: 'connection with this id',
    subject: async (visit) => {
      const id = parameter(visit, 'id');
      const path = pathTo('connection', id);
      const { answer, problem } = await visit.api.read<{ data: Connection }>(path);
      if (problem !== undefined) return { problem };
      return {
        answer: { resource: answer.data, name: `connection ${id}`, page: connectionPage(id), path },
      };
    },
    action: (visit, connection) =>
      connectionActions(connection).find(({ name }) => name === parameter(visit, 'command')),
  }),
  ...actionPages<unknown>({
    path: '/console/new-connection',
    operation: 'NewConnection',
    noun: 'connection',
    subject: () =>
      Promise.resolve({
        answer: {
          ...{ resource: undefined, name: 'connections' },
          ...{ page: '/console/connections', path: '/v1/connections' },
        },
      }),
    action: () => NEW_CONNECTION,
  }),
];
