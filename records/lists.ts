// Lists of rows: filters, an order, and pages. Every value is a parameter of the statement.
import { sql } from 'kysely';
import { openRow } from './sealed.js';
import { ROW_TABLES } from './tables.js';
import { tagsToFind } from './tags.js';
import type { Kysely, RawBuilder } from 'kysely';
import type { Instant } from '../domain/facts/fact.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Sealed } from './sealed.js';
import type { Tables } from './tables.js';
import type { SearchTerm } from './tags.js';

/** From the first, included, until the second, not included. */
export interface Range<Value> {
  from?: Value | undefined;
  until?: Value | undefined;
}

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
  db: Kysely<Tables>,
  keyring: Keyring,
  resource: ResourceName,
  { filter, sort, after, limit }: RowsRequest,
): Promise<RowsPage> {
  const table = ROW_TABLES[resource];
  const order = SORTED[sort.by];
  const direction = sort.isDescending ? sql`desc` : sql`asc`;
  const compared = sort.isDescending ? sql`<` : sql`>`;
  const conditions = [
    ...conditionsOf(keyring, resource, filter),
    ...(order.isOptional ? [sql`${order.column} is not null`] : []),
    ...(after === undefined
      ? []
      : [sql`(${order.column}, uid) ${compared} (${after.value}::${order.type}, ${after.uid})`]),
  ];
  const { rows } = await sql<Sealed & { uid: string; place: Date | number }>`
    select uid, key_id, sealed, ${order.column} as place from ${sql.table(table)}
    where ${all(conditions)}
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
  column: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
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

export const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);

/** One condition for each filter. */
export function conditionsOf(
  keyring: Keyring,
  resource: ResourceName,
  filter: RowFilter,
): RawBuilder<unknown>[] {
  const { states, awaiting, attention, connection, client, agreement, payment, terms = [] } = filter;
  const given = <Value>(value: Value | undefined, condition: (value: Value) => RawBuilder<unknown>) =>
    value === undefined ? [] : [condition(value)];
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
const stateIn = (resource: ResourceName, names: readonly string[]): RawBuilder<unknown> =>
  resource === 'onboarding'
    ? sql`(state = any(${names}::text[]) or (state = 'under_way' and step = any(${names}::text[])))`
    : sql`state = any(${names}::text[])`;

const clientIs = (resource: ResourceName, id: string): RawBuilder<unknown> =>
  resource === 'payment'
    ? sql`agreement_uid in (select uid from agreements where client_id = ${id})`
    : sql`client_id = ${id}`;

const within = (column: RawBuilder<unknown>, { from, until }: Range<string | number> = {}) => [
  ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
  ...(until === undefined ? [] : [sql`${column} < ${until}`]),
];
