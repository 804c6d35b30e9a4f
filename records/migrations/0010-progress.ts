// How far the records are. Workers move it on while they can store.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table records_progress (
      is_only boolean primary key default true check (is_only),
      recorded_until timestamptz not null
    )`.execute(db);
  await sql`insert into records_progress (recorded_until) values (now())`.execute(db);
}
