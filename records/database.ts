// Connects to the records database.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Keyring } from '../sealing/keyring.js';
import type { RecordsSettings } from './settings.schema.js';
import type { Tables } from './tables.js';

export interface RecordsDatabase {
  db: Kysely<Tables>;
  close: () => Promise<void>;
}

/** The database, and the keys that open what it stores. The first key seals. */
export interface Opened {
  db: Kysely<Tables>;
  keyring: Keyring;
}

/** The options of a command that may change much. */
export interface Maintenance<Counts> extends Opened {
  /** False: a dry run, which counts. */
  isApplied: boolean;
  onProgress: (counts: Counts) => void;
}

/** Counts that begin at 0. */
export const zeroOf = <Name extends string>(...names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

/** Fast enough that a workflow task, which waits for a statement, is not delayed for long. */
const STATEMENT_MS = 1500;
const CONNECT_MS = 1500;
const POOL_SIZE = 10;
/** For a statement of a command. */
export const PATIENT_MS = 10 * 60_000;

/** @param patientMs for commands: how long a statement may take. */
export function openRecords(settings: RecordsSettings, patientMs?: number): RecordsDatabase {
  const pool = openPool(settings, { max: POOL_SIZE, patientMs });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

export function openPool(
  settings: RecordsSettings,
  { max, patientMs }: { max: number; patientMs?: number | undefined },
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(settings),
    max,
    connectionTimeoutMillis: patientMs ?? CONNECT_MS,
    // By the client, because a transaction pooler would refuse the setting `statement_timeout`.
    query_timeout: patientMs ?? STATEMENT_MS,
    types: { getTypeParser },
  });
  // A connection was lost while it was idle, or between two statements. The next statement opens another one, or fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
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

/** The SQLSTATE or system code of an error. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** For a person. PostgreSQL's messages name users, databases and tables, but no password. */
export function describeError(error: unknown): string {
  const message =
    error instanceof Error && error.message !== '' ? error.message : 'the database did not answer';
  const code = codeOf(error);
  return code === undefined ? message : `${message} (${code})`;
}
