// Follows the rows of a resource in the order in which their changes became visible: era, transaction, uid. Each row is at the place of its last
// change, so a follower meets it again after every change, and never misses one that was stored late.
import { sql } from 'kysely';
import { all } from './conditions.js';
import { conditionsOf, type RowFilter } from './lists.js';
import { openRow, type SealedRow } from './sealed.js';
import { tableOf } from './tables.js';
import type { ResourceName } from '../domain/resources.js';
import type { Opened } from './database.js';

/** The place of a change. Later changes have greater places. */
export interface ChangePlace {
  era: number;
  /** A text, because JavaScript would round it. */
  transaction: string;
  /** Empty: before all rows of the transaction. */
  uid: string;
}

export interface ChangesRequest {
  filter: RowFilter;
  /** Undefined: from the oldest change. */
  after: ChangePlace | undefined;
  limit: number;
}

export interface ChangesPage {
  /** The views of the workflows, opened. */
  views: unknown[];
  /** Whether there are no more for now. */
  isNewest: boolean;
  /** Where the next page begins, also if there are no more for now. */
  next: ChangePlace;
}

/** What a write of a row sets, so that followers meet the row. */
export const CHANGED_NOW = {
  changed_era: sql<number>`(select era from feed_era)`,
  changed_transaction: sql<string>`pg_current_xact_id()`,
};

const START: ChangePlace = { era: 0, transaction: '0', uid: '' };

/** How many rows are read for a page with a filter. */
const MOST_WALKED = 20_000;

/** How far a page has read. */
interface Reading {
  walked: number;
  /** The place of the last row that was read. */
  last_era: number | null;
  last_transaction: string | null;
  last_uid: string | null;
}
interface Found extends Reading, SealedRow, ChangePlace {}

/**
 * The next rows by the place of their last change. A change appears only once no transaction that began before its own is open, so no change can
 * appear before one that was read. A page with a filter may have no rows although later ones match.
 * @throws the errors of the database, and SealError if a key is missing.
 */
export async function listChangedRows(
  { db, keyring }: Opened,
  resource: ResourceName,
  { filter, after = START, limit }: ChangesRequest,
): Promise<ChangesPage> {
  const table = tableOf(resource);
  const { served, searched } = conditionsOf(keyring, resource, filter);
  const conditions = [...served, ...searched];
  const most = conditions.length === 0 ? limit : MOST_WALKED;
  const { rows } = await sql<Found | (Reading & { uid: null })>`
    with open as (
        select era as open_era, pg_snapshot_xmin(pg_current_snapshot()) as open_transaction from feed_era),
      walked as materialized (
        select changed_era as era, changed_transaction as transaction, uid, (${all(...conditions)}) as is_match
        from ${sql.table(table)}
        where (changed_era, changed_transaction, uid) > (${after.era}, ${after.transaction}::xid8, ${after.uid})
          and (changed_era, changed_transaction) < (select open_era, open_transaction from open)
        order by changed_era, changed_transaction, uid limit ${most}),
      page as (select * from walked where is_match order by era, transaction, uid limit ${limit}),
      last as (
        select era as last_era, transaction as last_transaction, uid as last_uid
        from walked order by era desc, transaction desc, uid desc limit 1)
    select last.*, (select count(*) from walked) as walked,
      page.era, page.transaction, page.uid, stored.connection_id, stored.key_id, stored.sealed
    from open left join last on true left join page on true left join ${sql.table(table)} as stored on stored.uid = page.uid
    order by page.era, page.transaction, page.uid`.execute(db);
  const page = rows.filter((row): row is Found => row.uid !== null);
  const views = page.map((row) => openRow(keyring, table, row.uid, row));
  const last = page.length === limit ? page.at(-1) : undefined;
  if (last !== undefined) return { views, next: placeOf(last), isNewest: false };
  const [reading] = rows;
  // Not the oldest open transaction: after a crash, PostgreSQL gives the ids of transactions that stored nothing again.
  const next = lastOf(reading) ?? after;
  return { views, next, isNewest: reading?.walked !== most };
}

function lastOf(reading: Reading | undefined): ChangePlace | undefined {
  const { last_era: era = null, last_transaction: transaction = null, last_uid: uid = null } = reading ?? {};
  return era === null || transaction === null || uid === null ? undefined : { era, transaction, uid };
}
const placeOf = ({ era, transaction, uid }: Found): ChangePlace => ({ era, transaction, uid });
