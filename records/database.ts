// Connects to the records database.
import { Kysely, PostgresDialect } from 'kysely';
import { openPool } from './pool.js';
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

const POOL_SIZE = 10;
/** For a statement of a command. */
export const PATIENT_MS = 10 * 60_000;

/** @param patientMs for commands: how long a statement may take. */
export function openRecords(settings: RecordsSettings, patientMs?: number): RecordsDatabase {
  const pool = openPool(settings, { max: POOL_SIZE, patientMs });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}
