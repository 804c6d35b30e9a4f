// Follows the rows of a resource in the order in which their changes became visible: era, transaction, uid. Each row is at the place of its last
// change, so a follower meets it again after every change, and never misses one that was stored late.
import { sql } from 'kysely';
import { all } from './conditions.js';
import { conditionsOf } from './lists.js';
import { openRow } from './sealed.js';
import { tableOf } from './tables.js';
import type { ResourceName } from '../domain/resources.js';
import type { Opened } from './database.js';
import type { RowFilter } from './lists.js';
import type { Sealed } from './sealed.js';

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
  /** The views of the workflows, opened. Fewer than the limit: there are no more for now. */
  views: unknown[];
  /** Where the next page begins, also if there are no more for now. */
  next: ChangePlace;
}

/** What a write of a row sets, so that followers meet the row. */
export const CHANGED_NOW = {
  changed_era: sql<number>`(select era from feed_era)`,
  changed_transaction: sql<string>`pg_current_xact_id()`,
};

const START: ChangePlace = { era: 0, transaction: '0', uid: '' };

interface Found extends Sealed, ChangePlace {
  open_era: number;
  /** The oldest transaction that may still be open. */
  open_transaction: string;
}

/**
 * The next rows by the place of their last change. A change appears only once no transaction that began before its own is open, so no change can
 * appear before one that was read.
 * @throws the errors of the database, and SealError if a key is missing.
 */
export async function listChangedRows(
  { db, keyring }: Opened,
  resource: ResourceName,
  { filter, after = START, limit }: ChangesRequest,
): Promise<ChangesPage> {
  const table = tableOf(resource);
  const { served, searched } = conditionsOf(keyring, resource, filter);
  const conditions = [
    ...served,
    ...searched,
    sql`(changed_era, changed_transaction, uid) > (${after.era}, ${after.transaction}::xid8, ${after.uid})`,
    sql`(changed_era, changed_transaction) < (open.open_era, open.open_transaction)`,
  ];
  const { rows } = await sql<Found | (Found & { uid: null })>`
    select * from
      (select era as open_era, pg_snapshot_xmin(pg_current_snapshot()) as open_transaction from feed_era) as open
      left join lateral (
        select uid, key_id, sealed, changed_era as era, changed_transaction as transaction
        from ${sql.table(table)} where ${all(...conditions)}
        order by changed_era, changed_transaction, uid limit ${limit}
      ) as changed on true
    order by changed.era, changed.transaction, changed.uid`.execute(db);
  const page = rows.filter((row): row is Found => row.uid !== null);
  const last = page.length === limit ? page.at(-1) : undefined;
  return {
    views: page.map((row) => openRow(keyring, table, row.uid, row)),
    next: last === undefined ? laterOf(rows[0], after) : placeOf(last),
  };
}

const placeOf = ({ era, transaction, uid }: Found): ChangePlace => ({ era, transaction, uid });

/** All changes before the oldest open transaction were read, so the next page need not read them again, even if none matched the filter. */
function laterOf(open: Found | undefined, after: ChangePlace): ChangePlace {
  const { open_era: era = 0, open_transaction: transaction = '0' } = open ?? {};
  const isLater = era === after.era ? BigInt(transaction) > BigInt(after.transaction) : era > after.era;
  return isLater ? { era, transaction, uid: '' } : after;
}
