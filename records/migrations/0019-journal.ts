// A debit that takes the money of a payment back is matched to it, and a debit whose text says that it is a fee is marked. When the last days of an
// account were last read. Refunds in the view of what was expected.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  {
    name: 'unmatched_credits_payment',
    definition: sql`unmatched_credits (payment_uid) where payment_uid is not null`,
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index float_entries_payment`.execute(db);
  await sql`
    create unique index float_entries_payment on float_entries (payment_uid, (amount > 0)) where payment_uid is not null`.execute(
    db,
  );
  await sql`alter table float_entries add column is_fee boolean not null default false`.execute(db);
  await sql`alter table float_readings add column far_read_at timestamptz`.execute(db);
  await sql`
    create or replace view finance_expected_v1 as
    select connection_id, (requested_at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, uid, amount,
      state, requested_at, (settled_at at time zone 'Australia/Sydney')::date as settled_day
    from payments where requested_at is not null
    union all
    select connection_id, (requested_at at time zone 'Australia/Sydney')::date, 'refund', uid, amount, state, requested_at,
      (processed_at at time zone 'Australia/Sydney')::date
    from refunds where requested_at is not null`.execute(db);
  await sql`
    create or replace view finance_reported_v1 as
    with newest as (
      select distinct on (connection_id, day) id, connection_id, day, state from settlement_reports
      order by connection_id, day, fetched_at desc),
    typed as (
      select newest.connection_id, newest.day, line.uid, line.amount, line.settled_at, line.report_id, line.line, line.problem,
        line.kind is null as is_untyped,
        coalesce(line.kind, case when payments.uid is null and refunds.uid is not null then 'refund' else 'payment' end)
          as resource
      from newest join settlement_lines line on line.report_id = newest.id
      left join payments on line.kind is null and payments.uid = line.uid
      left join refunds on line.kind is null and refunds.uid = line.uid
      where newest.state = 'stored' and line.uid <> '' and line.amount is not null),
    usable as (
      select connection_id, day, uid, abs(amount) as amount, settled_at, report_id, line, resource from typed
      where problem is null or (problem = 'reversal' and is_untyped and resource = 'refund'))
    select connection_id, day, resource, uid, amount, settled_at, report_id, line from (
      select *, row_number() over (partition by connection_id, day, resource, uid order by line) as time from usable) numbered
    where time = 1`.execute(db);
  await sql`
    create or replace view finance_credited_v1 as
    select connection_id, (at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, payment_uid as uid,
      amount, at, account_uid, id as entry_id
    from float_entries where payment_uid is not null and amount > 0
    union all
    select connection_id, (at at time zone 'Australia/Sydney')::date, 'refund', refund_uid, -amount, at, account_uid, id
    from float_entries where refund_uid is not null and amount < 0`.execute(db);
}
