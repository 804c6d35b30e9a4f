// What following needs: each row has the place of its last change, and each audit event its place and an id.
import { sql, type Kysely } from 'kysely';
import { TABLES } from './0002-rows.js';
import { TABLES as FLOAT_TABLES } from './0004-float.js';
import type { Index } from './indexes.js';

const ROW_TABLES = Object.keys({ ...TABLES, ...FLOAT_TABLES });

export const INDEXES: readonly Index[] = [
  ...ROW_TABLES.map((table) => ({
    name: `${table}_changed`,
    definition: sql`${sql.table(table)} (changed_era, changed_transaction, uid)`,
  })),
  { name: 'audit_feed', definition: sql`audit (era, transaction, position)` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ROW_TABLES)
    await addPlace(db, table, { era: 'changed_era', transaction: 'changed_transaction' });
  await addPlace(db, 'audit', { era: 'era', transaction: 'transaction' });
  await sql`alter table audit add column id uuid not null unique default gen_random_uuid()`.execute(db);
  await sql`alter table audit alter column id drop default`.execute(db);
}

/** What is stored already comes first: the first era is 1. Later writes must name the era. */
async function addPlace(
  db: Kysely<unknown>,
  table: string,
  { era, transaction }: { era: string; transaction: string },
): Promise<void> {
  await sql`
    alter table ${sql.table(table)} add column ${sql.ref(era)} integer not null default 0,
      add column ${sql.ref(transaction)} xid8 not null default pg_current_xact_id()`.execute(db);
  await sql`alter table ${sql.table(table)} alter column ${sql.ref(era)} drop default`.execute(db);
}
