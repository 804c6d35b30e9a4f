// A debit that takes the money of a payment back is matched to it, and a debit whose text says that it is a fee is marked.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index float_entries_payment`.execute(db);
  await sql`
    create unique index float_entries_payment on float_entries (payment_uid, (amount > 0)) where payment_uid is not null`.execute(
    db,
  );
  await sql`alter table float_entries add column is_fee boolean not null default false`.execute(db);
  await sql`
    create or replace view finance_credited_v1 as
    select connection_id, (at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, payment_uid as uid,
      amount, at, account_uid, id as entry_id
    from float_entries where payment_uid is not null and amount > 0
    union all
    select connection_id, (at at time zone 'Australia/Sydney')::date, 'refund', refund_uid, -amount, at, account_uid, id
    from float_entries where refund_uid is not null and amount < 0`.execute(db);
}
