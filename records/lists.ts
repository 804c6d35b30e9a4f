// Lists of rows: filters, an order, and pages. Every value is a parameter of the statement.
import { sql } from 'kysely';
import { all, given, within, type Condition, type Range } from './conditions.js';
import { openRow, type SealedRow } from './sealed.js';
import { tableOf } from './tables.js';
import { tagsToFind, type SearchTerm } from './tags.js';
import { ANY_FLAG } from '../domain/attention/flags.js';
import type { Instant } from '../domain/facts/fact.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Opened } from './database.js';

/** Absent filters match every row. */
export interface RowFilter {
  /** One of these states. For an onboarding also a step. */
  states?: readonly string[] | undefined;
  awaiting?: string | undefined;
  /** The code of its failure, or of the reason for its state. */
  code?: string | undefined;
  /** When it entered its state. */
  entered?: Range<Instant> | undefined;
  /** A flag, or `ANY_FLAG`. */
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
  const { served, searched } = conditionsOf(keyring, resource, filter);
  const conditions = [
    ...served,
    ...(order.isOptional ? [sql`${order.column} is not null`] : []),
    ...given(
      after,
      ({ value, uid }) => sql`(${order.column}, uid) ${compared} (${value}::${order.type}, ${uid})`,
    ),
  ];
  const ordered = sql`order by place ${direction}, uid ${direction}`;
  const search = {
    table: sql.table(table),
    place: order.column,
    conditions,
    searched,
    ordered,
    limit: limit + 1,
  };
  const isTagged = filter.terms !== undefined && filter.terms.length > 0;
  const page = isTagged ? walkOrCount : searched.length > 0 ? walkOrFind : walk;
  const { rows } = await sql<SealedRow & { uid: string; place: Date | number }>`
    with page as (${page(search)})
    select uid, connection_id, key_id, sealed, place from page join ${sql.table(table)} using (uid) ${ordered}`.execute(
    db,
  );
  const opened = rows.slice(0, limit);
  const last = rows.length > limit ? opened.at(-1) : undefined;
  return {
    views: opened.map((row) => openRow(keyring, table, row.uid, row)),
    next: last && { value: textOf(last.place), uid: last.uid },
  };
}

interface Search {
  table: Condition;
  /** The value that the list is sorted by. */
  place: Condition;
  /** Those that an index in the order of the list serves. */
  conditions: readonly Condition[];
  searched: readonly Condition[];
  ordered: Condition;
  limit: number;
}

/** How many rows are read in the order of the list before the index of a filter is used. */
const WALKED = 2000;
/** Sorting more rows than this costs more than to walk further. */
const MOST_SORTED = 5000;
const WALKED_FURTHER = 50_000;

const walk = ({ table, place, conditions, ordered, limit }: Search): Condition => sql`
  select uid, ${place} as place from ${table} where ${all(...conditions)} ${ordered} limit ${limit}`;

/** If many rows match, the first ones in the order fill the page. Otherwise the index of the filter finds them all. */
function walkOrFind(search: Search): Condition {
  const { ordered, limit } = search;
  return sql`
    with walked as materialized (${walkPart(search, WALKED)})
    select uid, place from walked where ${isFull(sql`walked`, limit)}
    union all (
      select uid, place from (${matching(search, sql`not ${isFull(sql`walked`, limit)}`)} offset 0) as matching
      ${ordered} limit ${limit})`;
}

/** PostgreSQL cannot estimate how many rows have a tag, so it counts them while the statement runs. */
function walkOrCount(search: Search): Condition {
  const { ordered, limit } = search;
  const [isWalked, isFurther] = [isFull(sql`walked`, limit), isFull(sql`further`, limit)];
  const isFew = sql`(select count(*) from few) <= ${MOST_SORTED}`;
  return sql`
    with walked as materialized (${walkPart(search, WALKED)}),
    matching as materialized (${matching(search, sql`not ${isWalked}`)}),
    few as materialized (select uid, place from matching limit ${MOST_SORTED + 1}),
    further as materialized (${walkPart(search, WALKED_FURTHER, sql`not ${isFew}`)})
    (select uid, place from walked where ${isWalked}
      union all select uid, place from few where ${isFew}
      union all select uid, place from further where ${isFurther}
      union all select uid, place from matching where not ${isFew} and not ${isFurther})
    ${ordered} limit ${limit}`;
}

/** The matching ones of the first rows in the order. */
const walkPart = (
  { table, place, conditions, searched, ordered, limit }: Search,
  rows: number,
  isNeeded = sql`true`,
): Condition => sql`
  select uid, place from (
    select *, ${place} as place from ${table} where ${all(...conditions)} and ${isNeeded} ${ordered} limit ${rows}) as first
  where ${all(...searched)} ${ordered} limit ${limit}`;

/** All that match, in no order. */
const matching = ({ table, place, conditions, searched }: Search, isNeeded: Condition): Condition => sql`
  select uid, ${place} as place from ${table} where ${all(...conditions, ...searched)} and ${isNeeded}`;

const isFull = (part: Condition, limit: number): Condition => sql`(select count(*) from ${part}) = ${limit}`;

interface Sorted {
  column: Condition;
  type: Condition;
  /** Rows without the value are left out. */
  isOptional: boolean;
}

const TIME = sql`timestamptz`;
/** Exactly as the indexes have it (migrations/0001-baseline/rows.ts). */
const CREATED = sql`coalesce(requested_at, timestamptz '1970-01-01 00:00:00+00')`;
const SORTED: Readonly<Record<Sort['by'], Sorted>> = {
  created: { column: CREATED, type: TIME, isOptional: false },
  amount: { column: sql`amount`, type: sql`bigint`, isOptional: true },
  settled: { column: sql`settled_at`, type: TIME, isOptional: true },
};

const textOf = (place: Date | number): string =>
  place instanceof Date ? place.toISOString() : String(place);

interface Conditions {
  /** An index has their rows in the order of `created`. */
  served: Condition[];
  /** An index finds their rows, in no order. */
  searched: Condition[];
}

/** One condition for each filter. */
export function conditionsOf(keyring: Keyring, resource: ResourceName, filter: RowFilter): Conditions {
  const { states, awaiting, attention, connection, client, agreement, payment, terms = [] } = filter;
  return {
    served: [
      ...given(states, (names) => stateIn(resource, names)),
      // The partial index has only rows that wait for something.
      ...given(awaiting, (what) =>
        what === 'nothing' ? sql`awaiting = 'nothing'` : sql`awaiting = ${what} and awaiting <> 'nothing'`,
      ),
      ...given(attention, (code) =>
        code === ANY_FLAG
          ? sql`attention <> '{}'`
          : sql`attention @> array[${code}]::text[] and attention <> '{}'`,
      ),
      ...given(connection, (id) => sql`connection_id = ${id}`),
      ...given(agreement, (uid) => sql`agreement_uid = ${uid}`),
      ...given(payment, (uid) => sql`payment_uid = ${uid}`),
      ...within(CREATED, filter.created),
      ...within(resource === 'refund' ? sql`processed_at` : sql`settled_at`, filter.settled),
    ],
    searched: [
      ...given(client, (id) => clientIs(resource, id)),
      ...within(sql`amount`, filter.amount),
      ...within(sql`updated_at`, filter.updated),
      ...given(filter.code, (code) => sql`code = ${code}`),
      ...within(sql`state_since`, filter.entered),
      ...terms.map((term) => sql`search_tags && ${tagsToFind(keyring, resource, term)}::text[]`),
    ],
  };
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
