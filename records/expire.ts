// Deletes what ended longer ago than the retention, and counterparties and notifications that are older and that nothing uses: rows, their entries, other things under their uids, entries of float accounts, settlement reports, and
// audit events. Also keys and webhook deliveries that are older than their own retention. Only the role of expiry and the owner of the database may. Each statement deletes a small part, so that others never wait long.
import { sql, type Kysely } from 'kysely';
import {
  EXPIRING_RESOURCES,
  LASTING_RESOURCES,
  RESOURCES,
  type ExpiringResource,
  type ResourceName,
} from '../domain/resources.js';
import { all, type Condition } from './conditions.js';
import { zeroOf, type Maintenance } from './database.js';
import { NOTE } from './erase.js';
import { EVENT_ONLY_RESOURCES } from './own-events.js';
import { tableOf, type Tables } from './tables.js';

/**
 * Rows by resource, and entries of all. Entries of lasting resources, entries of float accounts, audit events, and reports with their lines expire
 * by their time.
 */
export type Expired = Record<
  | ExpiringResource
  | 'entry'
  | 'float entry'
  | 'settlement report'
  | 'audit event'
  | 'idempotency key'
  | 'webhook delivery',
  number
>;

export interface ExpireOptions extends Omit<Maintenance<Expired>, 'keyring'> {
  /** What ended before it expires. */
  before: Date;
  /** The workflow of a row that was deleted and had not ended. Its run is still in Temporal. */
  onOpenRun?: (workflowId: string) => void;
  /** Keys that were bound before it expire. */
  keysBefore: Date;
  /** Attempts to deliver webhooks that were made before it expire. */
  deliveriesBefore: Date;
}

/** So many resources are deleted in one transaction. */
const AT_ONCE = 500;

/**
 * A resource stays while one of its children stays, or another thing under its uid. Each that goes leaves a tombstone. An interrupted run is continued by the next.
 * @throws the errors of the database.
 */
export async function expireRecords({
  db,
  before,
  keysBefore,
  deliveriesBefore,
  isApplied,
  onOpenRun = () => undefined,
  onProgress,
}: ExpireOptions): Promise<Expired> {
  const expired = zeroOf(
    ...EXPIRING_RESOURCES,
    'entry',
    ...Object.values(BY_TIME).map(({ counted }) => counted),
  );
  for (const resource of EXPIRING_RESOURCES) {
    let found: Counts;
    do {
      found = await (isApplied ? deleteSome : countDue)(db, resource, before);
      expired[resource] += found.rows + found.conflicts;
      expired.entry += found.entries;
      found.open.forEach(onOpenRun);
      onProgress(expired);
    } while (isApplied && found.rows === AT_ONCE);
  }
  for (const resource of LASTING_RESOURCES)
    await expireEntries(db, resource, { before, isApplied }, (count) => {
      expired.entry += count;
      onProgress(expired);
    });
  expired.entry += await expireOwnEvents(db, { before, isApplied });
  onProgress(expired);
  if (isApplied) await markExpired(db, before);
  const ofOwn: Partial<Record<keyof Expired, Date>> = {
    'idempotency key': keysBefore,
    'webhook delivery': deliveriesBefore,
  };
  for (const [table, { counted }] of Object.entries(BY_TIME) as [TimedTable, (typeof BY_TIME)[TimedTable]][])
    await expireByTime(db, table, { before: ofOwn[counted] ?? before, isApplied }, (count) => {
      expired[counted] += count;
      onProgress(expired);
    });
  return expired;
}

/**
 * The resources that expire although they have not ended, by their age: an operator may never acknowledge a notification, and a registered
 * counterparty never ends. It expires once no agreement and no onboarding names it.
 */
const BY_AGE: Partial<Record<ExpiringResource, (before: Date) => Condition>> = {
  notification: () => sql`true`,
  counterparty: (before) => sql`
    not exists (select from agreements where agreements.payment_account_uids && counterparties.payment_account_uids)
    and not exists (
      select from onboardings where counterparty_uid = counterparties.uid and not (${due('onboarding', before)}))`,
};

/** The condition for the rows of a resource that are due. Its alias in the statement is its table. */
function due(resource: ExpiringResource, before: Date): Condition {
  const table = tableOf(resource);
  const byAge = BY_AGE[resource]?.(before) ?? sql`false`;
  const hasEnded = (of: string): Condition => sql`
    (${isEnded(resource, of)} or (${byAge})) and ${sql.ref(`${of}.state_since`)} < ${before}`;
  const children = EXPIRING_RESOURCES.filter((name) => isChildOf(name, resource)).map((child) => {
    const parent = sql.ref(`${tableOf(child)}.${resource}_uid`);
    return sql`not exists (
      select 1 from ${sql.table(tableOf(child))}
      where ${parent} = ${sql.ref(`${table}.uid`)} and not (${due(child, before)}))`;
  });
  return all(
    hasEnded(table),
    sql`not exists (
      select from conflicts
      where conflicts.resource = ${resource} and conflicts.uid = ${sql.ref(`${table}.uid`)}
        and (${hasEnded('conflicts')}) is not true)`,
    ...children,
  );
}

const isEnded = (resource: ExpiringResource, of: string): Condition =>
  sql`${sql.ref(`${of}.state`)} = any(${[...RESOURCES[resource].ended]}::text[])`;

function isChildOf(name: ExpiringResource, parent: ExpiringResource): boolean {
  const row = RESOURCES[name];
  return 'parent' in row && row.parent === parent;
}

interface Counts {
  rows: number;
  conflicts: number;
  entries: number;
  /** Workflow ids of rows that had not ended. */
  open: string[];
}

/** What hangs on the rows that are due. */
const ofDue = (table: 'conflicts' | 'entries', resource: ExpiringResource): Condition =>
  sql`from ${sql.table(table)} where resource = ${resource} and uid in (select uid from due)`;

async function deleteSome(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<Counts> {
  const table = sql.table(tableOf(resource));
  const { rows } = await sql<Counts>`
    with due as (select uid from ${table} where ${due(resource, before)} limit ${AT_ONCE}),
      gone as (
        delete from ${table} where uid in (select uid from due)
        returning uid, connection_id, case when not ${isEnded(resource, tableOf(resource))} then workflow_id end as open),
      tombs as (
        insert into tombstones (resource, uid, connection_id, gone_at)
        select ${resource}, uid, connection_id, now() from gone on conflict do nothing),
      conflicts_gone as (delete ${ofDue('conflicts', resource)} returning 1),
      entries_gone as (delete ${ofDue('entries', resource)} returning 1)
    select (select count(*) from gone) as rows, (select coalesce(array_agg(open) filter (where open is not null), '{}') from gone) as open,
      (select count(*) from conflicts_gone) as conflicts,
      (select count(*) from entries_gone) as entries`.execute(db);
  return rows[0] ?? NOTHING;
}

/** As `deleteSome`, for all of them, without deleting. */
async function countDue(db: Kysely<Tables>, resource: ExpiringResource, before: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with due as (select uid from ${sql.table(tableOf(resource))} where ${due(resource, before)})
    select (select count(*) from due) as rows, '{}'::text[] as open, (select count(*) ${ofDue('conflicts', resource)}) as conflicts,
      (select count(*) ${ofDue('entries', resource)}) as entries`.execute(db);
  return rows[0] ?? NOTHING;
}

const NOTHING: Counts = { rows: 0, conflicts: 0, entries: 0, open: [] };

type When = Pick<ExpireOptions, 'before' | 'isApplied'>;

interface Place {
  uid: string;
  sequence: number;
  kind: string;
}

/** So many entries are read, or rows deleted, in one statement. */
const MANY = 5000;

/**
 * Entries of a resource that lasts. Its facts stay, because its workflow has them, and would store them again. The newest entry stays, because the row may be
 * rebuilt from it, and the note of an erasure, because it keeps the personal data from coming back.
 */
async function expireEntries(
  db: Kysely<Tables>,
  resource: ResourceName,
  { before, isApplied }: When,
  onFound: (count: number) => void,
): Promise<void> {
  const isNote = (alias: string): Condition =>
    sql`(${sql.ref(`${alias}.kind`)} = ${NOTE.kind} and ${sql.ref(`${alias}.name`)} = ${NOTE.name})`;
  const deleted = sql`delete from entries using due
    where (entries.workflow_id, entries.sequence, entries.kind) = (due.workflow_id, due.sequence, due.kind) returning 1`;
  let after: Place | undefined = { uid: '', sequence: 0, kind: '' };
  while (after !== undefined) {
    const { rows }: { rows: (Place & { count: number })[] } = await sql<Place & { count: number }>`
      with page as (
          select workflow_id, uid, sequence, kind, name, occurred_at from entries
          where resource = ${resource} and (uid, sequence, kind) > (${after.uid}, ${after.sequence}, ${after.kind})
          order by uid, sequence, kind limit ${MANY}),
        due as (
          select workflow_id, sequence, kind from page
          where occurred_at < ${before} and kind <> 'fact' and not ${isNote('page')} and exists (
            select from entries newer
            where newer.workflow_id = page.workflow_id and newer.sequence > page.sequence and not ${isNote('newer')})),
        gone as (${isApplied ? deleted : sql`select from due`})
      select uid, sequence, kind, (select count(*) from gone) as count from page
      order by uid desc, sequence desc, kind desc limit 1
      `.execute(db);
    after = rows[0];
    onFound(rows[0]?.count ?? 0);
  }
}

/** Events about what has no workflow that records. */
async function expireOwnEvents(db: Kysely<Tables>, { before, isApplied }: When): Promise<number> {
  const due = sql`from entries where resource = any(${[...EVENT_ONLY_RESOURCES]}::text[]) and occurred_at < ${before}`;
  const deleted = sql`delete from entries where ctid = any(array(select ctid ${due} limit ${MANY})) returning 1`;
  let total = 0;
  let count: number;
  do {
    const { rows } = await (
      isApplied
        ? sql<{ count: number }>`with gone as (${deleted}) select count(*) as count from gone`
        : sql<{ count: number }>`select count(*) as count ${due}`
    ).execute(db);
    count = rows[0]?.count ?? 0;
    total += count;
  } while (isApplied && count === MANY);
  return total;
}

/** Readers of events with an older cursor must know that some may be missing. */
const markExpired = (db: Kysely<Tables>, before: Date) =>
  sql`update feed_era set events_expired_before = greatest(events_expired_before, ${before})`.execute(db);

const BY_TIME = {
  float_entries: { time: 'at', counted: 'float entry' },
  settlement_reports: { time: 'day', counted: 'settlement report' },
  audit: { time: 'at', counted: 'audit event' },
  idempotency_keys: { time: 'bound_at', counted: 'idempotency key' },
  webhook_deliveries: { time: 'at', counted: 'webhook delivery' },
} as const;
type TimedTable = keyof typeof BY_TIME;

/** The tables whose rows expire by their time. */
export const EXPIRED_BY_TIME = Object.keys(BY_TIME) as TimedTable[];

/** Rows of a table without children, by their time. */
async function expireByTime(
  db: Kysely<Tables>,
  table: TimedTable,
  { before, isApplied }: When,
  onFound: (count: number) => void,
): Promise<void> {
  const due = sql`from ${sql.table(table)} where ${sql.ref(BY_TIME[table].time)} < ${before}`;
  const deleted = sql`delete from ${sql.table(table)} where ctid = any(array(select ctid ${due} limit ${MANY})) returning 1`;
  let count: number;
  do {
    const { rows } = await (
      isApplied
        ? sql<{ count: number }>`with gone as (${deleted}) select count(*) as count from gone`
        : sql<{ count: number }>`select count(*) as count ${due}`
    ).execute(db);
    count = rows[0]?.count ?? 0;
    onFound(count);
  } while (isApplied && count === MANY);
}
