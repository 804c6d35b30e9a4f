// Deletes what ended longer ago than the retention: rows, their entries, entries of float accounts, settlement reports, and
// audit events. Only the owner of the database may.
import { sql } from 'kysely';
import { EXPIRING_RESOURCES, RESOURCES } from '../domain/resources.js';
import { all } from './conditions.js';
import { zeroOf } from './database.js';
import { tableOf } from './tables.js';
import type { Kysely } from 'kysely';
import type { ExpiringResource } from '../domain/resources.js';
import type { Condition } from './conditions.js';
import type { Maintenance } from './database.js';
import type { Tables } from './tables.js';

/** Rows by resource, and entries of all. Entries of float accounts, audit events, and reports with their lines expire by their time. */
export type Expired = Record<
  ExpiringResource | 'entry' | 'float entry' | 'settlement report' | 'audit event',
  number
>;

export interface ExpireOptions extends Omit<Maintenance<Expired>, 'keyring'> {
  /** What ended before it expires. */
  before: Date;
}

/** So many resources are deleted in one transaction. */
const AT_ONCE = 500;

/**
 * A resource stays while one of its children stays. An interrupted run is continued by the next.
 * @throws the errors of the database.
 */
export async function expireRecords({ db, before, isApplied, onProgress }: ExpireOptions): Promise<Expired> {
  const expired = zeroOf(...EXPIRING_RESOURCES, 'entry', 'float entry', 'settlement report', 'audit event');
  for (const resource of EXPIRING_RESOURCES) {
    let found: Counts;
    do {
      found = await (isApplied ? deleteSome : countDue)(db, resource, before);
      expired[resource] += found.rows;
      expired.entry += found.entries;
      onProgress(expired);
    } while (isApplied && found.rows === AT_ONCE);
  }
  expired['float entry'] = await expireByTime(db, 'float_entries', { before, isApplied });
  expired['settlement report'] = await expireByTime(db, 'settlement_reports', { before, isApplied });
  expired['audit event'] = await expireByTime(db, 'audit', { before, isApplied });
  return expired;
}

/** The condition for the rows of a resource that are due. Its alias in the statement is its table. */
function due(resource: ExpiringResource, before: Date): Condition {
  const table = tableOf(resource);
  const children = EXPIRING_RESOURCES.filter((name) => isChildOf(name, resource)).map((child) => {
    const parent = sql.ref(`${tableOf(child)}.${resource}_uid`);
    return sql`not exists (
      select 1 from ${sql.table(tableOf(child))}
      where ${parent} = ${sql.ref(`${table}.uid`)} and not (${due(child, before)}))`;
  });
  return all(
    sql`${sql.ref(`${table}.state`)} = any(${[...RESOURCES[resource].ended]}::text[])`,
    sql`${sql.ref(`${table}.state_since`)} < ${before}`,
    ...children,
  );
}

function isChildOf(name: ExpiringResource, parent: ExpiringResource): boolean {
  const row = RESOURCES[name];
  return 'parent' in row && row.parent === parent;
}

interface Counts {
  rows: number;
  entries: number;
}

async function deleteSome(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<Counts> {
  const table = sql.table(tableOf(resource));
  const { rows } = await sql<Counts>`
    with due as (select uid from ${table} where ${due(resource, before)} limit ${AT_ONCE}),
      gone as (delete from ${table} where uid in (select uid from due) returning uid),
      entries_gone as (
        delete from entries where resource = ${resource} and uid in (select uid from due) returning 1)
    select (select count(*) from gone) as rows, (select count(*) from entries_gone) as entries`.execute(db);
  return rows[0] ?? { rows: 0, entries: 0 };
}

/** As `deleteSome`, for all of them, without deleting. */
async function countDue(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with due as (select uid from ${sql.table(tableOf(resource))} where ${due(resource, before)})
    select (select count(*) from due) as rows,
      (select count(*) from entries where resource = ${resource} and uid in (select uid from due)) as entries
    `.execute(db);
  return rows[0] ?? { rows: 0, entries: 0 };
}

const TIME_OF = { audit: 'at', float_entries: 'at', settlement_reports: 'day' } as const;

/** Rows of a table without children, by their time. */
async function expireByTime(
  db: Kysely<Tables>,
  table: keyof typeof TIME_OF,
  { before, isApplied }: Pick<ExpireOptions, 'before' | 'isApplied'>,
): Promise<number> {
  const due = sql`from ${sql.table(table)} where ${sql.ref(TIME_OF[table])} < ${before}`;
  const { rows } = await (
    isApplied
      ? sql<{ count: number }>`with gone as (delete ${due} returning 1) select count(*) as count from gone`
      : sql<{ count: number }>`select count(*) as count ${due}`
  ).execute(db);
  return rows[0]?.count ?? 0;
}
