// Float accounts, their entries, unmatched credits, and settlement reports.
import { sql, type Kysely } from 'kysely';
import { createTables } from './0002-rows.js';
import { prepareLists } from './0003-reading.js';

/** The tables of resources that this migration creates, with their own columns. */
export const TABLES = {
  float_accounts: 'balance bigint, entry_count bigint, last_entry_at timestamptz',
  unmatched_credits: `
    account_uid text, amount bigint, received_at timestamptz, confirmed_at timestamptz,
    payment_uid text, agreement_uid text`,
} as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, TABLES);
  for (const table of Object.keys(TABLES)) await prepareLists(db, table);
  await sql`
    create table float_entries (
      account_uid text not null,
      id text not null,
      connection_id text not null,
      at timestamptz not null,
      amount bigint not null,
      balance_after bigint not null,
      is_new boolean not null,
      payment_uid text,
      refund_uid text,
      stored_at timestamptz not null default now(),
      key_id text not null,
      sealed bytea not null,
      primary key (account_uid, id)
    )`.execute(db);
  await sql`create index float_entries_at on float_entries (account_uid, at, id)`.execute(db);
  // A payment is credited once. A refund is debited once, and credited once if it fails.
  await sql`create unique index float_entries_payment on float_entries (payment_uid) where payment_uid is not null`.execute(
    db,
  );
  await sql`
    create unique index float_entries_refund on float_entries (refund_uid, (amount > 0))
    where refund_uid is not null`.execute(db);
  await sql`
    create index float_entries_unmatched on float_entries (account_uid, stored_at)
    where is_new and payment_uid is null and refund_uid is null`.execute(db);
  await addSettlement(db);
}

async function addSettlement(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settlement_reports (
      id bigint primary key generated always as identity,
      connection_id text not null,
      day date not null,
      state text not null,
      checksum text not null,
      line_count bigint not null,
      problem text,
      fetched_at timestamptz not null,
      key_id text,
      sealed bytea,
      unique (connection_id, day, checksum)
    )`.execute(db);
  await sql`create index settlement_reports_day on settlement_reports (day)`.execute(db);
  await sql`
    create table settlement_lines (
      report_id bigint not null references settlement_reports (id) on delete cascade,
      line bigint not null,
      uid text not null,
      kind text,
      amount bigint,
      settled_at timestamptz,
      primary key (report_id, line)
    )`.execute(db);
  await sql`create index settlement_lines_uid on settlement_lines (uid)`.execute(db);
  await sql`create index refunds_processed_at on refunds (processed_at)`.execute(db);
}
