// The list of connections.
import { CONNECTION_STATUSES } from '../../../workflows/connection/contract.js';
import type { Connection } from '../answers.js';
import { FlagsBeside, State, Table, Time, flagsOf } from '../parts.js';
import { pageOf } from '../places.js';
import { sentenceFor } from './connection.js';
import { listPages } from './list-page.js';

export const connectionLists = listPages<Connection>({
  plural: 'connections',
  operationIds: ['browseConnections', 'downloadConnections'],
  states: CONNECTION_STATUSES,
  columns: [
    ['id', ({ id }) => id],
    ['status', ({ status }) => status],
    ['flags', flagsOf],
    ['account', ({ account }) => account],
    ['token_expires_at', ({ expires_at: at }) => at],
    ['missing_scopes', ({ scopes }) => scopes.missing.join(' ')],
    ['created_at', ({ created_at: at }) => at],
  ],
  intro: () => (
    <nav class="actions" aria-label="Actions">
      <a href="/console/new-connection">Create a connection</a>
      <a href="/console/stop">Stop payments</a>
    </nav>
  ),
  table: (connections) =>
    connections.length === 0 ? (
      <p>No connections.</p>
    ) : (
      <Table
        label="Connections"
        heads={['Connection', 'State', 'Consent', 'Access token expires', 'Created']}
        rows={connections.map((connection) => [
          <a href={pageOf('connection', connection.id)}>{connection.id}</a>,
          <>
            <State state={connection.status} />
            <FlagsBeside attention={connection.attention} />
          </>,
          sentenceFor(connection),
          <Time at={connection.expires_at} />,
          <Time at={connection.created_at} />,
        ])}
      />
    ),
});
