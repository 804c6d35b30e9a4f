// Whether readers can follow entries and audit events (era, transaction, position) and changed rows. A transaction id is valid only on the server that gave it, so
// after a restore a new era starts (incomplete.ts).
import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.js';

/**
 * Whether all entries and audit events of the current era are from transactions of this server, and the table of entries is the one that the era began
 * with. A restored dump has another one. A restored copy of the server's files cannot be distinguished.
 */
export async function isFeedValid(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ invalid: boolean }>`
    select exists (
      select 1 from entries
      where era = (select era from feed_era) and transaction >= pg_snapshot_xmax(pg_current_snapshot())
    ) or exists (
      select 1 from audit
      where era = (select era from feed_era) and transaction >= pg_snapshot_xmax(pg_current_snapshot())
    ) or not exists (select from feed_era where entries_oid = 'entries'::regclass) as invalid
  `.execute(db);
  return rows[0]?.invalid === false;
}
