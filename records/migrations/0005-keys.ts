// A canary for each key that has sealed anything, so that a process without the key stops at its start.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sealing_keys (
      key_id text primary key,
      sealed bytea not null,
      sealed_since timestamptz not null default now()
    )`.execute(db);
}
