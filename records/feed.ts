// Reads all entries in an order that never changes: era, transaction, position.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { EntryTable, Tables } from './tables.js';

/** The place of an entry, or of an audit event. Later entries have greater places. */
export type Place = [era: number, transaction: string, position: number];
export type StoredEntry = Selectable<EntryTable>;

export const placeOf = ({
  era,
  transaction,
  position,
}: Pick<StoredEntry, 'era' | 'transaction' | 'position'>): Place => [era, transaction, position];

/**
 * The next entries. An entry appears only once no transaction that began before its own is open, so no entry can appear before one that was read.
 * @param after the place of the last entry read; undefined: from the first one.
 */
export async function readFeed(
  db: Kysely<Tables>,
  { after = [0, '0', 0], kind, limit }: { after?: Place | undefined; kind?: string; limit: number },
): Promise<StoredEntry[]> {
  const [era, transaction, position] = after;
  const { rows } = await sql<StoredEntry>`
    select * from entries
    where (era, transaction, position) > (${era}, ${transaction}::xid8, ${position})
      and (era < (select era from feed_era) or transaction < pg_snapshot_xmin(pg_current_snapshot()))
      and (${kind ?? null}::text is null or kind = ${kind ?? null})
    order by era, transaction, position
    limit ${limit}
  `.execute(db);
  return rows;
}
