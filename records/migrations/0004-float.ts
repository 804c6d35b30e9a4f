// Float accounts and their entries.
import { sql } from 'kysely';
import { COMMON } from './0002-rows.js';
import { prepareLists } from './0003-reading.js';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table float_accounts (
      ${sql.raw(COMMON)}, balance bigint, entry_count bigint, last_entry_at timestamptz)`.execute(db);
  await prepareLists(db, 'float_accounts');
  await sql`
    create table float_entries (
      account_uid text not null,
      id text not null,
      connection_id text not null,
      at timestamptz not null,
      amount bigint not null,
      balance_after bigint not null,
      stored_at timestamptz not null default now(),
      key_id text not null,
      sealed bytea not null,
      primary key (account_uid, id)
    )`.execute(db);
  await sql`create index float_entries_at on float_entries (account_uid, at, id)`.execute(db);
}
