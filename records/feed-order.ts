// The order in which readers follow entries and audit events (era, transaction, position) and changed rows. A transaction id is valid only on the server that gave it, so
// after dump and restore a new era starts.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

/** Whether all entries and audit events of the current era are from transactions that this server knows. */
export async function isFeedValid(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ ahead: boolean }>`
    select exists (
      select 1 from entries
      where era = (select era from feed_era) and transaction >= pg_snapshot_xmax(pg_current_snapshot())
    ) or exists (
      select 1 from audit
      where era = (select era from feed_era) and transaction >= pg_snapshot_xmax(pg_current_snapshot())
    ) as ahead
  `.execute(db);
  return rows[0]?.ahead === false;
}

/**
 * Starts a new era, in which entries, audit events and changed rows come after all earlier ones. Run it as the owner after dump and restore, before workers start. Cursors of
 * readers stay valid.
 * @returns the new era.
 */
export async function resetOrder(owner: Kysely<Tables>): Promise<number> {
  return owner.transaction().execute(async (transaction) => {
    // No entry or row, which come together, and no audit event is stored until the commit, so each has the era of its place.
    await sql`lock table entries, audit in share row exclusive mode`.execute(transaction);
    const { era } = await transaction
      .updateTable('feed_era')
      .set((eb) => ({ era: eb('era', '+', 1) }))
      .returning('era')
      .executeTakeFirstOrThrow();
    return era;
  });
}
