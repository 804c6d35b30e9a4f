// Batches form a chain: each row names the batch that wrote it and the one before, so that a task that never completed leaves nothing.
import { sql, type Kysely } from 'kysely';
import { TABLES } from './0002-rows.js';
import { TABLES as FLOAT_TABLES } from './0004-float.js';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of Object.keys({ ...TABLES, ...FLOAT_TABLES }))
    await sql`
      alter table ${sql.table(table)} add column follows bigint not null default 0,
        add column task_follows bigint not null default 0, add column run_id text`.execute(db);
  await sql`alter table entries add column task_follows bigint`.execute(db);
  // The application may not delete entries. This removes nothing but what the newest task of a workflow has stored.
  await sql`
    create function remove_unfinished(workflow text, after bigint) returns void
    language sql volatile security definer set search_path = public, pg_temp as $$
      delete from entries
      where workflow_id = workflow and sequence > after and task_follows = after
        and not exists (select from entries where workflow_id = workflow and task_follows > after)
    $$`.execute(db);
}
