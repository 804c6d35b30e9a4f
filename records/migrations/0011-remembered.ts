// What outlives Temporal's memory: the identity of each thing, what its next run needs, other things under the same uid, and what has expired.
import { sql, type Kysely } from 'kysely';
import { TABLES } from './0002-rows.js';
import { TABLES as FLOAT_TABLES } from './0004-float.js';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of Object.keys({ ...TABLES, ...FLOAT_TABLES }))
    await sql`
      alter table ${sql.table(table)} add column identity text, add column carried bytea, add column carried_key_id text,
        add column carried_version bigint, add column erased_at timestamptz`.execute(db);
  await sql`
    create table conflicts (
      resource text not null,
      uid text not null,
      identity text not null,
      workflow_id text not null,
      run_id text,
      connection_id text,
      version bigint not null,
      follows bigint not null,
      task_follows bigint not null,
      state text not null,
      state_since timestamptz,
      state_since_source text,
      code text,
      awaiting text,
      awaiting_since timestamptz,
      awaiting_until timestamptz,
      attention text[] not null,
      requested_at timestamptz,
      last_fact_at timestamptz,
      updated_at timestamptz not null,
      own jsonb not null,
      search_tags text[] not null,
      key_id text not null,
      sealed bytea not null,
      carried bytea,
      carried_key_id text,
      carried_version bigint,
      erased_at timestamptz,
      primary key (resource, uid, identity)
    )`.execute(db);
  await sql`
    create table tombstones (
      resource text not null,
      uid text not null,
      connection_id text,
      gone_at timestamptz not null,
      primary key (resource, uid)
    )`.execute(db);
}
