// Which entry of a float account an unmatched credit has. Its notification may have another id than the entry.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'unmatched_credits_like', definition: sql`unmatched_credits (account_uid, amount, received_at)` },
  { name: 'float_entries_case', definition: sql`float_entries (case_uid) where case_uid is not null` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table unmatched_credits add column entry_id text`.execute(db);
  // Written before the row of the case has it, so that only one case gets the entry.
  await sql`alter table float_entries add column case_uid text`.execute(db);
}
