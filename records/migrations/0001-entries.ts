// The entries: every change of every workflow, in an order that a reader can follow without missing one.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_era (era integer not null)
  `.execute(db);
  await sql`insert into feed_era values (1)`.execute(db);
  await sql`
    create table entries (
      era integer not null,
      transaction xid8 not null default pg_current_xact_id(),
      position bigint not null generated always as identity,
      workflow_id text not null,
      sequence bigint not null,
      resource text not null,
      uid text not null,
      connection_id text,
      kind text not null,
      name text not null,
      fact_id text,
      occurred_at timestamptz not null,
      recorded_at timestamptz not null default now(),
      key_id text not null,
      sealed bytea not null,
      primary key (workflow_id, sequence, kind)
    )
  `.execute(db);
  await sql`create unique index entries_feed on entries (era, transaction, position)`.execute(db);
  await sql`create index entries_of_resource on entries (resource, uid, sequence)`.execute(db);
  await sql`create index entries_fact on entries (fact_id) where fact_id is not null`.execute(db);
}
