// What reading needs: search tags, indexes of the lists, each fact once, and the operators' audit log.
import { sql, type Kysely } from 'kysely';
import { TABLES } from './0002-rows.js';

/** The order of the lists (records/lists.ts). A row without a time of request comes last. */
const CREATED = sql`(coalesce(requested_at, timestamptz '1970-01-01 00:00:00+00'))`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of Object.keys(TABLES)) await prepareLists(db, table);
  await sql`create index payments_created_in_agreement on payments (agreement_uid, ${CREATED}, uid)`.execute(
    db,
  );
  await sql`drop index payments_agreement_uid`.execute(db);
  await sql`create index clients_client_id on clients (client_id)`.execute(db);
  await sql`create index clients_parent on clients (parent_client_id)`.execute(db);
  await sql`alter table entries add column is_authenticated boolean`.execute(db);
  await sql`
    create unique index entries_fact_once on entries (workflow_id, kind, fact_id, is_authenticated)
    where fact_id is not null`.execute(db);
  await sql`
    create table audit (
      position bigint primary key generated always as identity,
      at timestamptz not null default now(),
      action text not null,
      outcome text not null,
      api_key_id text,
      principal text,
      request_id text,
      target text,
      details jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_at on audit (at, position)`.execute(db);
}

/** What the lists of a resource need (records/lists.ts). */
export async function prepareLists(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add column search_tags text[] not null default '{}'`.execute(db);
  const index = async (name: string, columns: unknown, where = sql``): Promise<void> => {
    await sql`
      create index ${sql.ref(`${table}_${name}`)} on ${sql.table(table)} ${columns} ${where}`.execute(db);
  };
  await index('created', sql`(${CREATED}, uid)`);
  await index('created_in_state', sql`(state, ${CREATED}, uid)`);
  await index('created_in_connection', sql`(connection_id, ${CREATED}, uid)`);
  await index('created_awaiting', sql`(awaiting, ${CREATED}, uid)`, sql`where awaiting <> 'nothing'`);
  await index('flagged', sql`(${CREATED}, uid)`, sql`where attention <> '{}'`);
  await index('tags', sql`using gin (search_tags)`);
  await index('state_since', sql`(state_since)`);
}
