// What a start asks for: the idempotency keys that no run holds, and whether the rows are complete.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'idempotency_keys_bound', definition: sql`idempotency_keys (bound_at)` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      key text primary key,
      resource text not null,
      uid text not null,
      body text not null,
      uses integer not null default 1,
      bound_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table incomplete (
      completed_by text primary key,
      since timestamptz not null default now()
    )`.execute(db);
  // The number of the table changes with each restore of a dump, so processes refuse to start until the rows are marked.
  await sql`alter table feed_era add column entries_oid oid`.execute(db);
  await sql`update feed_era set entries_oid = 'entries'::regclass`.execute(db);
}
