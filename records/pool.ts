// Connections to the records database. One whose statement got no answer is never used again: its statement may still run, and its transaction may
// still be open.
import pg from 'pg';
import { codeOf } from './errors.js';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { RecordsSettings } from './settings.schema.js';

/** Fast enough that a workflow task, which waits for a statement, is not delayed for long. */
const STATEMENT_MS = 1500;
const CONNECT_MS = 1500;
const KEEP_ALIVE_AFTER_MS = 5000;
/** SQLSTATE of a server that has become read-only, or shuts down. */
const IS_LEFT = /^(25006|57P0)/;
/** SQLSTATE of a connection that is no longer usable. */
const LOST = /^(08|57P0)/;
/** A reader, which no write tells that its server became read-only, connects again after a failover of names. */
const LIFETIME_S = 60;

interface PoolOptions {
  /** The most connections. */
  max: number;
  /** For commands: how long a connect and a statement may take. */
  patientMs?: number | undefined;
}

/**
 * A pool for Kysely, or for statements of one's own. A statement without an answer in time is cancelled in the server, and its connection is destroyed.
 * Idle connections are destroyed too if no other was answered since its start, or if the server is no longer the primary.
 */
export function openPool(settings: RecordsSettings, { max, patientMs }: PoolOptions): RecordsPool {
  const pool = new pg.Pool({
    ...connectionOf(settings),
    max,
    connectionTimeoutMillis: patientMs ?? CONNECT_MS,
    // By the client, because a transaction pooler would refuse the setting `statement_timeout`.
    query_timeout: patientMs ?? STATEMENT_MS,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
  });
  const trust = createTrust();
  // A connection was lost while it was idle, or between two statements. The next statement opens another one, or fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    trust.opened(client);
    client.on('error', () => undefined);
  });
  async function connect(): Promise<Lease> {
    const client = await pool.connect();
    if (trust.isUsable(client)) return leaseOf(client, settings, trust);
    destroy(client);
    return connect();
  }
  return { connect, end: () => pool.end(), options: {} };
}

/** Learns from the statements of a pool which of its connections may be used. */
function createTrust() {
  const openedAt = new WeakMap<pg.PoolClient, number>();
  let answeredAt = -Infinity;
  let usableFrom = -Infinity;
  return {
    opened: (client: pg.PoolClient): void => void openedAt.set(client, performance.now()),
    answered: (): void => void (answeredAt = performance.now()),
    /** @param startedAt of the statement, by the clock of `performance`. */
    failed: (error: unknown, startedAt: number): void => {
      if (IS_LEFT.test(codeOf(error) ?? '') || (!isAnswer(error) && answeredAt < startedAt))
        usableFrom = performance.now();
    },
    isUsable: (client: pg.PoolClient): boolean => (openedAt.get(client) ?? 0) >= usableFrom,
  };
}

type Trust = ReturnType<typeof createTrust>;

function leaseOf(client: pg.PoolClient, settings: RecordsSettings, trust: Trust): Lease {
  let isLost = false;
  const query = async (
    statement: string | pg.QueryConfig,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult> => {
    if (isLost) throw new Error('the connection was given up after a statement without an answer');
    const startedAt = performance.now();
    try {
      const result = await (typeof statement === 'string'
        ? client.query(statement, [...values])
        : client.query(statement));
      trust.answered();
      return result;
    } catch (error) {
      trust.failed(error, startedAt);
      isLost = !isAnswer(error);
      if (isLost) cancelStatement(settings, client);
      throw error;
    }
  };
  return {
    // Kysely would also call it with a cursor, if it had been given one.
    query: query as Lease['query'],
    release: () => {
      if (isLost || client.getTransactionStatus() !== 'I') destroy(client);
      else client.release();
    },
  };
}

/** As Kysely expects it. */
export interface RecordsPool extends PostgresPool {
  connect: () => Promise<Lease>;
}

/** A connection until its release. */
export interface Lease extends Omit<PostgresPoolClient, 'query'> {
  query: PostgresPoolClient['query'] & ((statement: pg.QueryConfig) => Promise<pg.QueryResult>);
}

function destroy(client: pg.PoolClient): void {
  client.release(true);
  // Otherwise it would wait for an answer to its goodbye.
  client.connection.stream.destroy();
}

/** The server has refused the statement. It waits for the next one. */
const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !LOST.test(error.code ?? '');

/** What pg has without saying it in its types. */
interface Cancelling {
  requestSsl: () => void;
  cancel: (processID: unknown, secretKey: unknown) => void;
  connect: (port: number, host: string) => void;
}

/** Asks the server, on another connection, to end the statement of a client. Nothing waits for it; without it, the statement ends by itself. */
function cancelStatement(settings: RecordsSettings, client: pg.PoolClient): void {
  const { connection, port, host } = new pg.Client(connectionOf(settings));
  const canceller = connection as pg.Connection & Cancelling;
  const send = (): void => {
    canceller.cancel(Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey'));
  };
  const end = (): void => void canceller.stream.destroy();
  canceller.on('error', end);
  const limit = setTimeout(end, CONNECT_MS);
  canceller.once('end', () => clearTimeout(limit));
  canceller.once('connect', () => {
    if (settings.tls === false) send();
    else canceller.requestSsl();
  });
  canceller.once('sslconnect', send);
  canceller.connect(port, host);
}

/** How to connect, for a pool or for a connection of its own. */
export const connectionOf = ({ host, port, user, password, database, tls }: RecordsSettings) => ({
  ...{ host, port, user, database },
  password: () => password.reveal(),
  ssl: tls !== false && { rejectUnauthorized: true, ca: tls.ca },
  application_name: 'payto-agreements',
});

const { INT8, DATE } = pg.types.builtins;

/** Our big integers are all safe. A day stays text, because a Date would depend on the time zone. */
function getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (format !== 'binary' && type === (INT8 as number)) return Number;
  if (format !== 'binary' && type === (DATE as number)) return String;
  return pg.types.getTypeParser(type, format === 'binary' ? 'text' : format) as (text: string) => unknown;
}
