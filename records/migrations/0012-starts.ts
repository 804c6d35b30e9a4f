// What a start asks for: the idempotency keys that no run holds, and whether the rows are complete.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
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
      is_only boolean primary key default true check (is_only),
      since timestamptz not null default now()
    )`.execute(db);
}
