// Lists of rows: filters, an order, and pages. Every value is a parameter of the statement.
import { sql } from 'kysely';
import { all, given, within } from './conditions.js';
import { openRow } from './sealed.js';
import { tableOf } from './tables.js';
import { tagsToFind } from './tags.js';
import type { Instant } from '../domain/facts/fact.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Condition, Range } from './conditions.js';
import type { Opened } from './database.js';
import type { Sealed } from './sealed.js';
import type { SearchTerm } from './tags.js';

/** Absent filters match every row. */
export interface RowFilter {
  /** One of these states. For an onboarding also a step. */
  states?: readonly string[] | undefined;
  awaiting?: string | undefined;
  attention?: string | undefined;
  connection?: string | undefined;
  /** The provider's id of a client: of the row itself, or of the one that initiates its agreement. */
  client?: string | undefined;
  /** Payments of this agreement. */
  agreement?: string | undefined;
  /** Refunds of this payment. */
  payment?: string | undefined;
  /** In cents. */
  amount?: Range<number> | undefined;
  created?: Range<Instant> | undefined;
  updated?: Range<Instant> | undefined;
  settled?: Range<Instant> | undefined;
  /** All of them. */
  terms?: readonly SearchTerm[] | undefined;
}

/** `created` is the time of the request. A sort by a value that can change would show a moved row twice, or not at all. */
export const SORTS = ['created', 'amount', 'settled'] as const;
export interface Sort {
  by: (typeof SORTS)[number];
  isDescending: boolean;
}

/** The last row of a page. The next page begins after it. */
export interface RowPlace {
  value: string;
  uid: string;
}

export interface RowsRequest {
  filter: RowFilter;
  sort: Sort;
  after: RowPlace | undefined;
  limit: number;
}

export interface RowsPage {
  /** The views of the workflows, opened. */
  views: unknown[];
  /** Undefined on the last page. */
  next: RowPlace | undefined;
}

/**
 * One page of a list. Rows that were stored before the first page appear exactly once, as long as they match.
 * @throws the errors of the database, and SealError if a key is missing.
 */
export async function listRows(
  { db, keyring }: Opened,
  resource: ResourceName,
  { filter, sort, after, limit }: RowsRequest,
): Promise<RowsPage> {
  const table = tableOf(resource);
  const order = SORTED[sort.by];
  const direction = sort.isDescending ? sql`desc` : sql`asc`;
  const compared = sort.isDescending ? sql`<` : sql`>`;
  const conditions = [
    ...conditionsOf(keyring, resource, filter),
    ...(order.isOptional ? [sql`${order.column} is not null`] : []),
    ...given(
      after,
      ({ value, uid }) => sql`(${order.column}, uid) ${compared} (${value}::${order.type}, ${uid})`,
    ),
  ];
  const { rows } = await sql<Sealed & { uid: string; place: Date | number }>`
    select uid, key_id, sealed, ${order.column} as place from ${sql.table(table)}
    where ${all(...conditions)}
    order by ${order.column} ${direction}, uid ${direction}
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    views: page.map((row) => openRow(keyring, table, row.uid, row)),
    next: last && { value: textOf(last.place), uid: last.uid },
  };
}

interface Sorted {
  column: Condition;
  type: Condition;
  /** Rows without the value are left out. */
  isOptional: boolean;
}

const TIME = sql`timestamptz`;
/** Exactly as the indexes have it (migrations/0003-reading.ts). */
const CREATED = sql`coalesce(requested_at, timestamptz '1970-01-01 00:00:00+00')`;
const SORTED: Readonly<Record<Sort['by'], Sorted>> = {
  created: { column: CREATED, type: TIME, isOptional: false },
  amount: { column: sql`amount`, type: sql`bigint`, isOptional: true },
  settled: { column: sql`settled_at`, type: TIME, isOptional: true },
};

const textOf = (place: Date | number): string =>
  place instanceof Date ? place.toISOString() : String(place);

/** One condition for each filter. */
export function conditionsOf(keyring: Keyring, resource: ResourceName, filter: RowFilter): Condition[] {
  const { states, awaiting, attention, connection, client, agreement, payment, terms = [] } = filter;
  return [
    ...given(states, (names) => stateIn(resource, names)),
    // The partial index has only rows that wait for something.
    ...given(awaiting, (what) =>
      what === 'nothing' ? sql`awaiting = 'nothing'` : sql`awaiting = ${what} and awaiting <> 'nothing'`,
    ),
    ...given(attention, (code) => sql`attention @> array[${code}]::text[] and attention <> '{}'`),
    ...given(connection, (id) => sql`connection_id = ${id}`),
    ...given(client, (id) => clientIs(resource, id)),
    ...given(agreement, (uid) => sql`agreement_uid = ${uid}`),
    ...given(payment, (uid) => sql`payment_uid = ${uid}`),
    ...within(sql`amount`, filter.amount),
    ...within(CREATED, filter.created),
    ...within(sql`updated_at`, filter.updated),
    ...within(resource === 'refund' ? sql`processed_at` : sql`settled_at`, filter.settled),
    ...terms.map((term) => sql`search_tags && ${tagsToFind(keyring, resource, term)}::text[]`),
  ];
}

/** A running onboarding is found by its current step. */
const stateIn = (resource: ResourceName, names: readonly string[]): Condition =>
  resource === 'onboarding'
    ? sql`(state = any(${names}::text[]) or (state = 'under_way' and step = any(${names}::text[])))`
    : sql`state = any(${names}::text[])`;

const clientIs = (resource: ResourceName, id: string): Condition =>
  resource === 'payment'
    ? sql`agreement_uid in (select uid from agreements where client_id = ${id})`
    : sql`client_id = ${id}`;
