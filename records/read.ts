// Reads single rows, timelines and what the API looks up by a column. Lists are in lists.ts.
import { sql } from 'kysely';
import { findCandidates } from './candidates.js';
import { listFloatEntries } from './float-entries.js';
import { conditionsOf, all, listRows } from './lists.js';
import { openEntry, openRow } from './sealed.js';
import { reconcileDay } from './reconcile.js';
import { readStatement } from './statement.js';
import { ROW_TABLES } from './tables.js';
import type { Kysely, RawBuilder } from 'kysely';
import type { Instant } from '../domain/facts/fact.js';
import type { Entry } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { CreditCandidate, SoughtCredit } from '../domain/float/candidates.js';
import type { Statement } from '../domain/float/statement.js';
import type { Reconciled, ReconciliationRequest } from './reconcile.js';
import type { StoredFloatEntry } from '../domain/float/entries.js';
import type { FloatEntriesRequest } from './float-entries.js';
import type { RowFilter, RowsPage, RowsRequest } from './lists.js';
import type { Tables } from './tables.js';

/** The current view of a resource. */
export interface StoredRow {
  version: number;
  view: unknown;
}

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

/** Payments in one state that entered it on one day. */
export interface DayTotal {
  /** In Sydney. */
  day: string;
  state: string;
  count: number;
  /** In cents. */
  amount: number;
}

/** Running agreements, and the clients below a client. */
export interface ClientsBeneath {
  clients: unknown[];
  own: number;
  agreements: number;
}

/** Each call throws the errors of the database, and SealError if a key is missing. */
export interface RecordReader {
  row: (resource: ResourceName, uid: string) => Promise<StoredRow | undefined>;
  list: (resource: ResourceName, request: RowsRequest) => Promise<RowsPage>;
  /** Oldest first, without the stored views. */
  timeline: (
    resource: ResourceName,
    uid: string,
    page: { after: EntryPlace | undefined; limit: number },
  ) => Promise<TimelinePage>;
  /** By state and by the day in Sydney on which the payment entered it, oldest day first. */
  paymentTotals: (filter: RowFilter, entered: { from: Instant; until: Instant }) => Promise<DayTotal[]>;
  count: (resource: ResourceName, filter: RowFilter) => Promise<number>;
  /** The connection of a row. Undefined if there is no row, or its connection is unknown. */
  connectionOf: (resource: ResourceName, uid: string) => Promise<string | undefined>;
  /** The ids of all connections that ever existed, newest first. */
  connectionIds: (limit: number) => Promise<string[]>;
  /** Our uid of a client, by the provider's id. The newest, if there are several. */
  clientUid: (clientId: string) => Promise<string | undefined>;
  /** @param running the states of a running agreement. @param gone the states of a client that is not counted. */
  beneath: (
    clientId: string,
    states: { running: readonly string[]; gone: readonly string[] },
    limit: number,
  ) => Promise<ClientsBeneath>;
  /** The entries of a float account, newest first. */
  floatEntries: (request: FloatEntriesRequest) => Promise<StoredFloatEntry[]>;
  statement: (accountUid: string, day: { from: Instant; until: Instant }) => Promise<Statement>;
  candidates: (credit: SoughtCredit) => Promise<CreditCandidate[]>;
  reconcile: (request: ReconciliationRequest) => Promise<Reconciled>;
  /** The counterparties with this payment account. */
  counterpartiesWith: (accountUid: string, limit: number) => Promise<unknown[]>;
}

export function createReader({ db, keyring }: { db: Kysely<Tables>; keyring: Keyring }): RecordReader {
  return {
    row: async (resource, uid) => {
      const table = ROW_TABLES[resource];
      const found = await db
        .selectFrom(table)
        .select(['version', 'key_id', 'sealed'])
        .where('uid', '=', uid)
        .executeTakeFirst();
      return found && { version: found.version, view: openRow(keyring, table, uid, found) };
    },
    list: (resource, request) => listRows(db, keyring, resource, request),
    timeline: (resource, uid, page) => readTimeline(db, keyring, { resource, uid, ...page }),
    paymentTotals: (filter, entered) => readTotals(db, conditionsOf(keyring, 'payment', filter), entered),
    count: async (resource, filter) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(ROW_TABLES[resource])}
        where ${all(conditionsOf(keyring, resource, filter))}`.execute(db);
      return rows[0]?.count ?? 0;
    },
    connectionOf: (resource, uid) => readConnection(db, resource, uid),
    connectionIds: async (limit) => {
      const rows = await db
        .selectFrom('connections')
        .select('uid')
        .orderBy('requested_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ uid }) => uid);
    },
    clientUid: async (clientId) => {
      const { rows } = await sql<{ uid: string }>`
        select uid from clients where client_id = ${clientId} order by requested_at desc nulls last limit 1
      `.execute(db);
      return rows[0]?.uid;
    },
    floatEntries: (request) => listFloatEntries(db, keyring, request),
    statement: (accountUid, day) => readStatement(db, keyring, accountUid, day),
    candidates: (credit) => findCandidates(db, keyring, credit),
    reconcile: (request) => reconcileDay(db, request),
    beneath: (clientId, states, limit) => readBeneath(db, keyring, { clientId, ...states, limit }),
    counterpartiesWith: async (accountUid, limit) => {
      const { rows } = await sql<{ uid: string; key_id: string; sealed: Buffer }>`
        select uid, key_id, sealed from counterparties
        where payment_account_uids @> array[${accountUid}]::text[] limit ${limit}`.execute(db);
      return rows.map((row) => openRow(keyring, 'counterparties', row.uid, row));
    },
  };
}

async function readConnection(
  db: Kysely<Tables>,
  resource: ResourceName,
  uid: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(ROW_TABLES[resource])
    .select('connection_id')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row?.connection_id ?? undefined;
}

async function readTotals(
  db: Kysely<Tables>,
  conditions: readonly RawBuilder<unknown>[],
  { from, until }: { from: Instant; until: Instant },
): Promise<DayTotal[]> {
  const { rows } = await sql<DayTotal>`
    select (state_since at time zone 'Australia/Sydney')::date as day, state,
      count(*) as count, coalesce(sum(amount), 0)::bigint as amount
    from payments
    where ${all([...conditions, sql`state_since >= ${from} and state_since < ${until}`])}
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

interface TimelineRequest {
  resource: ResourceName;
  uid: string;
  after: EntryPlace | undefined;
  limit: number;
}

async function readTimeline(
  db: Kysely<Tables>,
  keyring: Keyring,
  { resource, uid, after = { sequence: 0, kind: '' }, limit }: TimelineRequest,
): Promise<TimelinePage> {
  const rows = await db
    .selectFrom('entries')
    .selectAll()
    .where('resource', '=', resource)
    .where('uid', '=', uid)
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
      data: openEntry(keyring, { workflowId, sequence, kind }, row) as object,
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

async function readBeneath(
  db: Kysely<Tables>,
  keyring: Keyring,
  { clientId, running, gone, limit }: BeneathRequest,
): Promise<ClientsBeneath> {
  const below = sql`
    with recursive below as (
      select uid, client_id, key_id, sealed, state, requested_at from clients where parent_client_id = ${clientId}
      union
      select one.uid, one.client_id, one.key_id, one.sealed, one.state, one.requested_at
      from clients one join below on one.parent_client_id = below.client_id
    )`;
  const { rows } = await sql<{ uid: string; key_id: string; sealed: Buffer }>`
    ${below} select uid, key_id, sealed from below where state <> all(${gone}::text[])
    order by requested_at desc nulls last, uid limit ${limit}`.execute(db);
  const counted = await sql<{ own: number; beneath: number }>`
    ${below} select
      (select count(*) from agreements where client_id = ${clientId} and state = any(${running}::text[])) as own,
      (select count(*) from agreements where client_id in (select client_id from below)
        and state = any(${running}::text[])) as beneath`.execute(db);
  const { own = 0, beneath: agreements = 0 } = counted.rows[0] ?? {};
  return { clients: rows.map((row) => openRow(keyring, 'clients', row.uid, row)), own, agreements };
}
