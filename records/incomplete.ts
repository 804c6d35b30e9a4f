// The mark of rows that may be missing or too old. While it is there, the records count as away for whether a thing exists (remembered.ts).
import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.js';

/** The command of `npm run records` that removes a mark, once it has completed the rows. */
export type CompletedBy = 'rebuild' | 'rebuild --from-workflows';

/** Keeps an earlier mark of the same command, for example after that was interrupted. */
export async function markIncomplete(db: Kysely<Tables>, completedBy: CompletedBy): Promise<void> {
  const mark = db.insertInto('incomplete').values({ completed_by: completedBy });
  await mark.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Removes the mark of one command. That of the other one stays. */
export async function markComplete(db: Kysely<Tables>, completedBy: CompletedBy): Promise<void> {
  await db.deleteFrom('incomplete').where('completed_by', '=', completedBy).execute();
}

/** The commands that still have to run with `--apply`. None: the rows are complete. */
export async function commandsToRun(db: Kysely<Tables>): Promise<string[]> {
  const marks = await db.selectFrom('incomplete').select('completed_by').orderBy('completed_by').execute();
  return marks.map(({ completed_by: command }) => command);
}

/** For statements: since when the rows are incomplete, or null. */
export const INCOMPLETE_SINCE = '(select min(since) from incomplete)';

/**
 * Marks the rows as restored from a backup, and starts a new era, in which entries, audit events and changed rows come after all earlier ones. Run it
 * as the owner after each restore, before workers start. Cursors of readers stay valid.
 * @returns the new era.
 */
export async function markRestored(owner: Kysely<Tables>): Promise<number> {
  return owner.transaction().execute(async (transaction) => {
    // No entry or row, which come together, and no audit event is stored until the commit, so each has the era of its place.
    await sql`lock table entries, audit in share row exclusive mode`.execute(transaction);
    await markIncomplete(transaction, 'rebuild --from-workflows');
    const { era } = await transaction
      .updateTable('feed_era')
      .set((eb) => ({ era: eb('era', '+', 1), entries_oid: sql<number>`'entries'::regclass::oid` }))
      .returning('era')
      .executeTakeFirstOrThrow();
    return era;
  });
}
