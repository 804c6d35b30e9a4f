// One row: the oldest migration whose processes may still start with this database. Each migration from here on writes it.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_support (
      is_only boolean primary key default true check (is_only),
      oldest text not null
    )`.execute(db);
}

export async function writeSupport(db: Kysely<unknown>, oldest: string): Promise<void> {
  await sql`
    insert into schema_support (oldest) values (${oldest})
    on conflict (is_only) do update set oldest = excluded.oldest`.execute(db);
}
