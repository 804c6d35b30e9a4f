// Lines of settlement reports that are no settlements, and the indexes that compare a day across days.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'float_entries_on', definition: sql`float_entries (at)` },
  {
    name: 'settlement_reports_version',
    definition: sql`settlement_reports (connection_id, day, fetched_at)`,
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settlement_lines add column problem text`.execute(db);
}
