// Reads single rows, timelines and what the API looks up by a column. Lists are in lists.ts.
import { sql, type Kysely } from 'kysely';
import { workflowIdOf, type ResourceName } from '../domain/resources.js';
import { findCandidates } from './candidates.js';
import { findDuplicates, type ComparedCase } from './credit-entries.js';
import { withoutEvent } from './event-columns.js';
import { newestPlace, placeBefore, readEvent, readEvents, type EventsRequest } from './events.js';
import { listChangedRows, type ChangesRequest } from './changed-rows.js';
import { all, within, type Condition } from './conditions.js';
import { listFloatEntries, readStatement, type FloatEntriesRequest } from './float-entries.js';
import { createInitiatorRows } from './initiators.js';
import { readExpected } from './expected.js';
import { readJournal, type JournalRequest } from './journal.js';
import { bindKey, freeKey, readKey } from './key-bindings.js';
import { conditionsOf, listRows, type RowFilter, type RowsRequest } from './lists.js';
import { openEntry, openRow, type SealedRow } from './sealed.js';
import { reconcileDay, type ComparedDay, type ReconciliationRequest } from './reconcile.js';
import { readRemembered } from './remembered.js';
import { readReport } from './settlement.js';
import { createWebhookEndpoints } from './webhook-endpoints.js';
import { onDatabase } from './run.js';
import { tableOf, type Tables } from './tables.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Day } from '../domain/time/calendar.js';
import type { KeyUse } from '../domain/commands/key-use.js';
import type { KeyRequest } from '../domain/records/bound-key.js';
import type { SoughtCredit } from '../domain/float/candidates.js';
import type { Entry } from '../domain/records/batch.js';
import type { Opened } from './database.js';

/** The place of an entry within its resource. */
export interface EntryPlace {
  sequence: number;
  kind: string;
}

export interface RecordedEntry extends Entry {
  recordedAt: Instant;
}

export interface TimelinePage {
  entries: RecordedEntry[];
  /** Undefined on the last page. */
  next: EntryPlace | undefined;
}

/** The resources that have totals. */
type Totalled = 'payment' | 'refund';

/** Payments or refunds in one state that entered it on one day. */
export interface DayTotal {
  /** In Sydney. */
  day: string;
  state: string;
  count: number;
  /** In cents. */
  amount: number;
}

export type RecordReader = ReturnType<typeof createReader>;

/** Each call throws the errors of the database, and SealError if a key is missing. */
export const createReader = (opened: Opened) => ({
  ...createInitiatorRows(opened),
  /** The current view of a resource. */
  row: (resource: ResourceName, uid: string) => readRow(opened, resource, uid),
  /** What the records have of a thing: its row, or that it is gone. Undefined: it was never recorded. */
  remembered: (resource: ResourceName, uid: string) =>
    readRemembered(onDatabase(opened.db), opened.keyring, resource, uid),
  /** What a key is bound to that no run holds. @throws also RecordsIncomplete. */
  keyUse: (key: string) => readKey(onDatabase(opened.db), key),
  /** Binds a key unless it is bound (key-bindings.ts). @throws also RecordsIncomplete. */
  bindKey: (request: KeyRequest) => bindKey(onDatabase(opened.db), request),
  freeKey: (use: KeyUse) => freeKey(onDatabase(opened.db), use),
  list: (resource: ResourceName, request: RowsRequest) => listRows(opened, resource, request),
  /** Rows by their last change, oldest first, for followers. */
  changed: (resource: ResourceName, request: ChangesRequest) => listChangedRows(opened, resource, request),
  /** Oldest first, without the stored views, and without those of another thing under this uid. */
  timeline: (resource: ResourceName, uid: string, page: { after: EntryPlace | undefined; limit: number }) =>
    readTimeline(opened, { resource, uid, ...page }),
  /** By state and by the day in Sydney on which the payment or refund entered it, oldest day first. */
  totals: (resource: Totalled, filter: RowFilter, entered: { from: Instant; until: Instant }) =>
    readTotals(opened.db, resource, [
      ...conditionsIn(opened, resource, filter),
      ...within(sql`state_since`, entered),
    ]),
  count: (resource: ResourceName, filter: RowFilter) => countRows(opened, resource, filter),
  /** The connection of a row. Undefined if there is no row, or its connection is unknown. */
  connectionOf: async (resource: ResourceName, uid: string) => {
    const ofUid = opened.db.selectFrom(tableOf(resource)).where('uid', '=', uid);
    return (await ofUid.select('connection_id').executeTakeFirst())?.connection_id ?? undefined;
  },
  /** The ids of all connections that ever existed, newest first. */
  connectionIds: async (limit: number) => {
    const newest = opened.db.selectFrom('connections').orderBy('requested_at', 'desc').limit(limit);
    return (await newest.select('uid').execute()).map(({ uid }) => uid);
  },
  /** @param states `running`: the states of a running agreement. `gone`: the states of a client that is not counted. */
  beneath: (
    clientId: string,
    states: { running: readonly string[]; gone: readonly string[] },
    limit: number,
  ) => readBeneath(opened, { clientId, ...states, limit }),
  /** The entries of a float account, newest first. */
  floatEntries: (request: FloatEntriesRequest) => listFloatEntries(opened, request),
  statement: (accountUid: string, day: { from: Instant; until: Instant }) =>
    readStatement(opened, accountUid, day),
  candidates: (credit: SoughtCredit) => findCandidates(opened, credit),
  duplicates: (compared: ComparedCase) => findDuplicates(opened, compared),
  reconcile: (request: ReconciliationRequest) => reconcileDay(opened.db, request),
  /** The newest settlement report of a day, as it was downloaded. */
  settlementReport: (connectionId: string, day: Day) => readReport(opened, connectionId, day),
  expected: (day: ComparedDay) => readExpected(opened.db, day),
  journal: (request: JournalRequest) => readJournal(opened, request),
  events: (request: EventsRequest) => readEvents(opened, request),
  event: (id: string) => readEvent(opened, id),
  placeBefore: (since: Instant) => placeBefore(opened, since),
  newestPlace: () => newestPlace(opened),
  /** The endpoints for webhooks, which only the API creates and changes. */
  webhookEndpoints: createWebhookEndpoints(opened),
});

function conditionsIn({ keyring }: Opened, resource: ResourceName, filter: RowFilter): Condition[] {
  const { served, searched } = conditionsOf(keyring, resource, filter);
  return [...served, ...searched];
}

async function countRows(opened: Opened, resource: ResourceName, filter: RowFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(tableOf(resource))}
    where ${all(...conditionsIn(opened, resource, filter))}`.execute(opened.db);
  return rows[0]?.count ?? 0;
}

async function readRow({ db, keyring }: Opened, resource: ResourceName, uid: string) {
  const table = tableOf(resource);
  const found = await db
    .selectFrom(table)
    .select(['version', 'connection_id', 'key_id', 'sealed'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  return found && { version: found.version, view: openRow(keyring, table, uid, found) };
}

const EPOCH = sql`timestamptz '1970-01-01 00:00:00+00'`;

/** They are counted by hours first, since the day in a time zone is expensive to compute. In Sydney, a day starts at a full hour of UTC. */
async function readTotals(
  db: Kysely<Tables>,
  resource: Totalled,
  conditions: readonly Condition[],
): Promise<DayTotal[]> {
  const { rows } = await sql<DayTotal>`
    with hours as (
      select date_bin('1 hour', state_since, ${EPOCH}) as hour, state, count(*) as count, sum(amount) as amount
      from ${sql.table(tableOf(resource))} where ${all(...conditions)} group by 1, 2)
    select (hour at time zone 'Australia/Sydney')::date as day, state, sum(count)::bigint as count,
      coalesce(sum(amount), 0)::bigint as amount
    from hours group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

interface TimelineRequest {
  resource: ResourceName;
  uid: string;
  after: EntryPlace | undefined;
  limit: number;
}

async function readTimeline(
  { db, keyring }: Opened,
  { resource, uid, after = { sequence: 0, kind: '' }, limit }: TimelineRequest,
): Promise<TimelinePage> {
  const rows = await db
    .selectFrom('entries')
    .selectAll()
    .where('workflow_id', '=', workflowIdOf(resource, uid))
    .where('kind', '<>', 'view')
    .where(sql<boolean>`(sequence, kind) > (${after.sequence}, ${after.kind})`)
    .orderBy('sequence')
    .orderBy('kind')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map((row): RecordedEntry => {
    const { workflow_id: workflowId, sequence, kind, name, fact_id: factId } = row;
    return {
      ...{ sequence, kind: kind as Entry['kind'], name, factId: factId ?? undefined },
      at: row.occurred_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
      data: withoutEvent(openEntry(keyring, { workflowId, sequence, kind }, row) as object).own,
    };
  });
  const last = rows.length > limit ? entries.at(-1) : undefined;
  return { entries, next: last && { sequence: last.sequence, kind: last.kind } };
}

interface BeneathRequest {
  clientId: string;
  running: readonly string[];
  gone: readonly string[];
  limit: number;
}

/** The clients below a client, and the agreements of its own and of theirs that run. */
async function readBeneath({ db, keyring }: Opened, { clientId, running, gone, limit }: BeneathRequest) {
  const { rows } = await sql<
    { own: number; agreements: number } & ((SealedRow & { uid: string }) | { uid: null })
  >`
    with recursive below as (
      select uid, client_id, state, requested_at from clients where parent_client_id = ${clientId}
      union
      select one.uid, one.client_id, one.state, one.requested_at
      from clients one join below on one.parent_client_id = below.client_id),
    page as (
      select uid from below where state <> all(${gone}::text[])
      order by requested_at desc nulls last, uid limit ${limit}),
    counted as (
      select
        (select count(*) from agreements where client_id = ${clientId} and state = any(${running}::text[])) as own,
        (select count(*) from agreements where client_id in (select client_id from below)
          and state = any(${running}::text[])) as agreements)
    select own, agreements, uid, connection_id, key_id, sealed from counted left join (page join clients using (uid)) on true
    order by requested_at desc nulls last, uid`.execute(db);
  const { own = 0, agreements = 0 } = rows[0] ?? {};
  const clients = rows.flatMap((row) =>
    row.uid === null ? [] : [openRow(keyring, 'clients', row.uid, row)],
  );
  return { clients, own, agreements };
}
