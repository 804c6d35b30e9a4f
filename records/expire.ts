// Deletes what ended longer ago than the retention: rows, their entries, entries of float accounts, settlement reports, and
// audit events. Only the owner of the database may.
import { sql } from 'kysely';
import { EXPIRING_RESOURCES, RESOURCES } from '../domain/resources.js';
import { ROW_TABLES } from './tables.js';
import type { Kysely, RawBuilder } from 'kysely';
import type { ExpiringResource } from '../domain/resources.js';
import type { Tables } from './tables.js';

/** Rows by resource, entries of all, and audit events. */
export interface Expired extends Record<ExpiringResource, number> {
  entries: number;
  /** Of float accounts, by their time. */
  floatEntries: number;
  /** With their lines, by their day. */
  settlementReports: number;
  audit: number;
}

export interface ExpireOptions {
  db: Kysely<Tables>;
  /** What ended before it expires. */
  before: Date;
  /** False: a dry run, which counts. */
  isApplied: boolean;
  onProgress: (expired: Expired) => void;
}

/** So many resources are deleted in one transaction. */
const AT_ONCE = 500;

/**
 * A payment stays while one of its refunds stays, and an agreement while one of its payments does. An interrupted run is continued by the next.
 * @throws the errors of the database.
 */
export async function expireRecords({ db, before, isApplied, onProgress }: ExpireOptions): Promise<Expired> {
  const expired: Expired = {
    ...{
      refund: 0,
      payment: 0,
      agreement: 0,
      onboarding: 0,
      batch: 0,
      notification: 0,
      'unmatched-credit': 0,
    },
    ...{ entries: 0, floatEntries: 0, settlementReports: 0, audit: 0 },
  };
  for (const resource of EXPIRING_RESOURCES) {
    if (!isApplied) {
      expired[resource] = await countDue(db, resource, before);
      expired.entries += await countEntries(db, resource, before);
      continue;
    }
    for (let rows = AT_ONCE; rows === AT_ONCE;) {
      const deleted = await deleteSome(db, resource, before);
      rows = deleted.rows;
      expired[resource] += deleted.rows;
      expired.entries += deleted.entries;
      onProgress(expired);
    }
  }
  expired.floatEntries = await expireByTime(db, 'float_entries', { before, isApplied });
  expired.settlementReports = await expireByTime(db, 'settlement_reports', { before, isApplied });
  expired.audit = await expireByTime(db, 'audit', { before, isApplied });
  return expired;
}

/** The rows of a resource that are due. Its alias in the statement is its table. */
function due(resource: ExpiringResource, before: Date): RawBuilder<unknown> {
  const table = ROW_TABLES[resource];
  const own = sql`${sql.ref(`${table}.state`)} = any(${[...RESOURCES[resource].ended]}::text[])
    and ${sql.ref(`${table}.state_since`)} < ${before}`;
  const children = CHILDREN[resource];
  if (children === undefined) return own;
  const [child, column] = children;
  return sql`${own} and not exists (
    select 1 from ${sql.table(ROW_TABLES[child])}
    where ${sql.ref(`${ROW_TABLES[child]}.${column}`)} = ${sql.ref(`${table}.uid`)} and not (${due(child, before)}))`;
}

const CHILDREN: Readonly<Partial<Record<ExpiringResource, [ExpiringResource, string]>>> = {
  payment: ['refund', 'payment_uid'],
  agreement: ['payment', 'agreement_uid'],
};

async function deleteSome(
  db: Kysely<Tables>,
  resource: ExpiringResource,
  before: Date,
): Promise<{ rows: number; entries: number }> {
  const table = sql.table(ROW_TABLES[resource]);
  const { rows } = await sql<{ rows: number; entries: number }>`
    with due as (select uid from ${table} where ${due(resource, before)} limit ${AT_ONCE}),
      gone as (delete from ${table} where uid in (select uid from due) returning uid),
      entries_gone as (
        delete from entries where resource = ${resource} and uid in (select uid from due) returning 1)
    select (select count(*) from gone) as rows, (select count(*) from entries_gone) as entries`.execute(db);
  return rows[0] ?? { rows: 0, entries: 0 };
}

async function countDue(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(ROW_TABLES[resource])} where ${due(resource, before)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function countEntries(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entries where resource = ${resource} and uid in (
      select uid from ${sql.table(ROW_TABLES[resource])} where ${due(resource, before)})`.execute(db);
  return rows[0]?.count ?? 0;
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
