// When each float account was last read, and an index of the entries that nothing explains, also of those from the first reading.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  {
    name: 'float_entries_to_match',
    definition: sql`float_entries (account_uid, at, id) include (amount) where payment_uid is null and refund_uid is null`,
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table float_readings (
      account_uid text primary key,
      read_at timestamptz not null
    )`.execute(db);
}
