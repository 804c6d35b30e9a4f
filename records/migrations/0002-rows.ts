// One table for each resource, with its current row.
import { sql, type Kysely } from 'kysely';

/** The columns that every row has. */
const COMMON = `
  uid text primary key,
  workflow_id text not null,
  connection_id text,
  version bigint not null,
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
  key_id text not null,
  sealed bytea not null`;

/** The tables that this migration creates, with their own columns. */
export const TABLES = {
  agreements: `
    client_id text, terms_type text, frequency text, amount bigint, maximum_amount bigint,
    validity_start_date date, validity_end_date date, payer_decides_until timestamptz,
    consecutive_failures bigint, adopted boolean`,
  payments: `
    agreement_uid text, amount bigint, refunded_amount bigint, submissions bigint,
    submit_before timestamptz, settled_at timestamptz`,
  refunds: 'payment_uid text, amount bigint, submissions bigint, processed_at timestamptz',
  clients: 'client_id text, parent_client_id text, adopted boolean',
  counterparties: 'counterparty_id text, payment_account_uids text[], adopted boolean',
  onboardings: `
    step text, client_uid text, counterparty_uid text, agreement_uid text, payment_uid text`,
  batches: 'kind text, is_dry_run boolean, row_count bigint, counts jsonb',
  connections: 'account_id text, scope text, generation bigint, expires_at timestamptz',
  stops: 'all_since timestamptz, connection_ids text[]',
  notifications: `
    resource_type text, event_type text, event_id text, published_at timestamptz, acknowledged_at timestamptz`,
} as const;

const INDEXES = [
  ['payments', 'agreement_uid'],
  ['payments', 'settled_at'],
  ['refunds', 'payment_uid'],
  ['agreements', 'client_id'],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, TABLES);
  for (const [table, column] of INDEXES)
    await sql`create index ${sql.ref(`${table}_${column}`)} on ${sql.table(table)} (${sql.ref(column)})`.execute(
      db,
    );
}

/** Creates tables of resources. @param tables the own columns of each. */
export async function createTables(
  db: Kysely<unknown>,
  tables: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [table, own] of Object.entries(tables))
    await sql`create table ${sql.table(table)} (${sql.raw(COMMON)}, ${sql.raw(own)})`.execute(db);
}
