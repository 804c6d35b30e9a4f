// Reads the entries that are events, in the order of the feed, each with the view of its own state and of the state before.
import { sql } from 'kysely';
import { withoutEvent } from './event-columns.js';
import { SealError } from '../sealing/keyring.js';
import { all, given, type Condition } from './conditions.js';
import { openEntry, type SealedRow } from './sealed.js';
import type { Instant } from '../domain/facts/fact.js';
import type { EventCause } from '../domain/records/batch.js';
import type { EventType } from '../domain/records/event-types.js';
import type { Opened } from './database.js';
import type { Place } from './feed.js';

export interface RecordedEvent {
  id: string;
  type: EventType;
  place: Place;
  /** The name of the resource, or `settlement` or `webhook-endpoint`. */
  resource: string;
  uid: string;
  /** Of its entries. One resource has several only if another thing was requested under its uid. */
  workflowId: string;
  connectionId: string | undefined;
  /** Grows within the resource. */
  version: number;
  at: Instant;
  recordedAt: Instant;
  /** What the entry itself says: for a flag, the flag. */
  own: object;
  /** Undefined: the workflow decided it. */
  cause: EventCause | undefined;
  view: object;
  /** The view at the previous event of the resource. Undefined: there is none, or it has expired. */
  previousView: object | undefined;
  /** Why the event, or the view before, could not be opened: a byte of it has changed. It is then empty. */
  unreadable?: { event: Error | undefined; previousView: Error | undefined };
}

export interface EventFilter {
  /** Undefined: all. */
  types?: readonly EventType[] | undefined;
  /** Undefined: all, and events without a connection. */
  connections?: readonly string[] | undefined;
  resource?: string | undefined;
  uid?: string | undefined;
  workflowId?: string | undefined;
}

export interface EventsRequest {
  after?: Place | undefined;
  /** The last place that may be read. */
  until?: Place | undefined;
  filter?: EventFilter;
  limit: number;
}

export interface EventsPage {
  events: RecordedEvent[];
  /** Where the next page begins, also if there are no more for now. */
  next: Place;
  /** Whether there are no more for now. */
  isNewest: boolean;
  /** The retention has deleted events until then. */
  expiredBefore: Instant | undefined;
}

/** How many events are read for a page with a filter. */
const MOST_WALKED = 10_000;
export const FEED_START: Place = [0, '0', 0];

interface Reading {
  open_era: number;
  open_transaction: string;
  expired_before: Date | null;
  walked: number;
  last_era: number | null;
  last_transaction: string | null;
  last_position: number | null;
}
interface Found extends SealedRow {
  era: number;
  transaction: string;
  position: number;
  workflow_id: string;
  sequence: number;
  kind: string;
  event: EventType;
  event_id: string;
  resource: string;
  uid: string;
  connection_id: string | null;
  occurred_at: Date;
  recorded_at: Date;
  before_sequence: number | null;
  before_kind: string | null;
  before_connection_id: string | null;
  before_key_id: string | null;
  before_sealed: Buffer | null;
}

/**
 * The next events, as `readFeed` orders them: none can appear later before one that was read. A page with a filter may be empty although later ones
 * match: continue at `next` until `isNewest`.
 * An event that cannot be opened is marked. @throws the errors of the database, and SealError `unknown_key`: another process may have the key.
 */
export async function readEvents(
  { db, keyring }: Opened,
  { after = FEED_START, until, filter = {}, limit }: EventsRequest,
): Promise<EventsPage> {
  const walking = conditionsOf(filter);
  // Few entries have the uid or the workflow, and an index finds them.
  const served = [
    ...given(filter.uid, (uid) => sql`uid = ${uid}`),
    ...given(filter.workflowId, (id) => sql`workflow_id = ${id}`),
    ...given(until, (last) => sql`(era, transaction, position) <= ${place(last)}`),
  ];
  const most = walking.length === 0 ? limit : MOST_WALKED;
  const { rows } = await sql<Reading & (Found | { event: null })>`
    with open as (
        select era as open_era, pg_snapshot_xmin(pg_current_snapshot()) as open_transaction,
          events_expired_before as expired_before from feed_era),
      walked as materialized (
        select era, transaction, position, workflow_id, sequence, kind, (${all(...walking)}) as is_match
        from entries
        where event is not null and (era, transaction, position) > ${place(after)} and ${all(...served)}
          and (era, transaction) < (select open_era, open_transaction from open)
        order by era, transaction, position limit ${most}),
      page as (select * from walked where is_match order by era, transaction, position limit ${limit}),
      last as (
        select era as last_era, transaction as last_transaction, position as last_position
        from walked order by era desc, transaction desc, position desc limit 1)
    select open.*, last.*, (select count(*) from walked) as walked, entry.*,
      before.sequence as before_sequence, before.kind as before_kind, before.connection_id as before_connection_id, before.key_id as before_key_id, before.sealed as before_sealed
    from open left join last on true left join page on true
      left join entries as entry on (entry.workflow_id, entry.sequence, entry.kind) = (page.workflow_id, page.sequence, page.kind)
      left join lateral (
        select older.sequence, older.kind, older.connection_id, older.key_id, older.sealed from entries as older
        where older.workflow_id = page.workflow_id and older.sequence < page.sequence and older.event is not null
        order by older.sequence desc limit 1) as before on true
    order by entry.era, entry.transaction, entry.position`.execute(db);
  const found = rows.filter((row): row is Reading & Found => row.event !== null);
  const events = found.map((row) => eventOf(keyring, row));
  const [reading] = rows;
  const shared = { events, expiredBefore: reading?.expired_before?.toISOString() };
  const last = events.length === limit ? events.at(-1) : undefined;
  if (last !== undefined) return { ...shared, next: last.place, isNewest: false };
  if (reading?.walked === most) return { ...shared, next: lastOf(reading) ?? after, isNewest: false };
  // Not the oldest open transaction: after a crash, PostgreSQL gives the ids of transactions that stored nothing again.
  return { ...shared, next: lastOf(reading) ?? after, isNewest: true };
}

/** The event with this id. If a reset has recorded it twice, the first one. @throws as `readEvents` */
export async function readEvent(opened: Opened, id: string): Promise<RecordedEvent | undefined> {
  const ofId = opened.db.selectFrom('entries').where('event_id', '=', id);
  const found = await ofId
    .select(['workflow_id', 'era', 'transaction', 'position'])
    .orderBy('position')
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { era, transaction, position, workflow_id: workflowId } = found;
  const page = await readEvents(opened, {
    after: [era, transaction, position - 1],
    filter: { workflowId },
    limit: 1,
  });
  return page.events.find((event) => event.id === id);
}

/** So many events are compared to find the first one since a time: they may be stored in another order. */
const NEAR = 1000;

/** The place before the first event that was recorded at or after a time. Undefined: there is none yet. */
export async function placeBefore({ db }: Pick<Opened, 'db'>, since: Instant): Promise<Place | undefined> {
  const { rows } = await sql<{ era: number; transaction: string; position: number }>`
    with near as (
      select era, transaction, position from entries
      where event is not null and recorded_at >= ${since} order by recorded_at limit ${NEAR})
    select era, transaction, position from near order by era, transaction, position limit 1`.execute(db);
  const [first] = rows;
  return first && [first.era, first.transaction, first.position - 1];
}

/** The place of the last event that can be read now. */
export async function newestPlace({ db }: Pick<Opened, 'db'>): Promise<Place> {
  const { rows } = await sql<{ era: number; transaction: string; position: number }>`
    select era, transaction, position from entries
    where event is not null and (era, transaction) < (select era, pg_snapshot_xmin(pg_current_snapshot()) from feed_era)
    order by era desc, transaction desc, position desc limit 1`.execute(db);
  const [last] = rows;
  return last === undefined ? FEED_START : [last.era, last.transaction, last.position];
}

const place = ([era, transaction, position]: Place): Condition =>
  sql`(${era}, ${transaction}::xid8, ${position})`;

const conditionsOf = ({ types, connections, resource }: EventFilter): Condition[] => [
  ...given(types, (names) => sql`event = any(${[...names]}::text[])`),
  ...given(connections, (ids) => sql`coalesce(connection_id = any(${[...ids]}::text[]), false)`),
  ...given(resource, (name) => sql`resource = ${name}`),
];

function lastOf(reading: Reading | undefined): Place | undefined {
  const {
    last_era: era = null,
    last_transaction: transaction = null,
    last_position: position = null,
  } = reading ?? {};
  return era === null || transaction === null || position === null ? undefined : [era, transaction, position];
}

/** Whether the first place is the later one. */
export function isAfter(
  [era, transaction, position]: Place,
  [otherEra, other, otherPosition]: Place,
): boolean {
  if (era !== otherEra) return era > otherEra;
  if (transaction !== other) return BigInt(transaction) > BigInt(other);
  return position > otherPosition;
}

function eventOf(keyring: Opened['keyring'], row: Found): RecordedEvent {
  const { workflow_id: workflowId, sequence, kind } = row;
  const opened = openEvent(keyring, { workflowId, sequence, kind }, row);
  const before = openBefore(keyring, row);
  const { own, event } = withoutEvent(opened.data);
  return {
    ...{ id: row.event_id, type: row.event, place: [row.era, row.transaction, row.position] },
    ...{ resource: row.resource, uid: row.uid, workflowId, connectionId: row.connection_id ?? undefined },
    ...{ version: sequence, at: row.occurred_at.toISOString(), recordedAt: row.recorded_at.toISOString() },
    ...{ own, cause: event?.cause, view: event?.view ?? {} },
    previousView: before && (before.problem ? {} : withoutEvent(before.data).event?.view),
    ...((opened.problem ?? before?.problem) && {
      unreadable: { event: opened.problem, previousView: before?.problem },
    }),
  };
}

interface OpenedEvent {
  data: object;
  problem?: Error;
}

/** @throws SealError `unknown_key` */
function openEvent(keyring: Opened['keyring'], ...entry: OpenedArguments): OpenedEvent {
  try {
    return { data: openEntry(keyring, ...entry) as object };
  } catch (error) {
    const isChanged = error instanceof SealError && error.code !== 'unknown_key';
    if (isChanged || error instanceof SyntaxError) return { data: {}, problem: error };
    throw error;
  }
}
type OpenedArguments = [id: Parameters<typeof openEntry>[1], sealed: SealedRow];

function openBefore(keyring: Opened['keyring'], row: Found): OpenedEvent | undefined {
  const {
    workflow_id: workflowId,
    before_sequence: sequence,
    before_kind: kind,
    before_connection_id: connection_id,
    before_key_id: key_id,
    before_sealed: sealed,
  } = row;
  if (sequence === null || kind === null || key_id === null || sealed === null) return undefined;
  return openEvent(keyring, { workflowId, sequence, kind }, { connection_id, key_id, sealed });
}
