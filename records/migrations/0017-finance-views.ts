// Views for finance's own tools. Their names have a version: a view whose columns change gets a new one, and the old one stays for a release.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Index } from './indexes.js';

/** The day in Sydney. PostgreSQL can index it: it depends on no setting of the session. */
const dayOf = (instant: string): RawBuilder<unknown> =>
  sql`(${sql.ref(instant)} at time zone 'Australia/Sydney')::date`;

export const INDEXES: readonly Index[] = [
  { name: 'payments_requested_day', definition: sql`payments (connection_id, (${dayOf('requested_at')}))` },
  {
    name: 'payments_settled_day',
    definition: sql`payments (connection_id, (${dayOf('settled_at')})) where settled_at is not null`,
  },
  {
    name: 'refunds_processed_day',
    definition: sql`refunds (connection_id, (${dayOf('processed_at')})) where processed_at is not null`,
  },
  { name: 'float_entries_day', definition: sql`float_entries (connection_id, (${dayOf('at')}))` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await createExpected(db);
  await createSettled(db);
  await createReported(db);
  await createCredited(db);
  await createDays(db);
}

/** Each payment on the day it was requested, whatever became of it: its state explains why it did not settle. */
async function createExpected(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view finance_expected_v1 as
    select connection_id, ${dayOf('requested_at')} as day, 'payment'::text as resource, uid, amount, state,
      requested_at, ${dayOf('settled_at')} as settled_day
    from payments where requested_at is not null`.execute(db);
}

async function createSettled(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view finance_settled_v1 as
    select connection_id, ${dayOf('settled_at')} as day, 'payment'::text as resource, uid, amount, settled_at
    from payments where settled_at is not null
    union all
    select connection_id, ${dayOf('processed_at')}, 'refund', uid, amount, processed_at
    from refunds where processed_at is not null`.execute(db);
}

/** As the reconciliation reads reports: the newest of each day, without lines that are no settlement or name a uid again. */
async function createReported(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view finance_reported_v1 as
    with newest as (
      select distinct on (connection_id, day) id, connection_id, day, state from settlement_reports
      order by connection_id, day, fetched_at desc),
    usable as (
      select newest.connection_id, newest.day, line.uid, line.amount, line.settled_at, line.report_id, line.line,
        coalesce(line.kind, case when payments.uid is null and refunds.uid is not null then 'refund' else 'payment' end)
          as resource
      from newest join settlement_lines line on line.report_id = newest.id
      left join payments on line.kind is null and payments.uid = line.uid
      left join refunds on line.kind is null and refunds.uid = line.uid
      where newest.state = 'stored' and line.uid <> '' and line.amount is not null and line.problem is null)
    select connection_id, day, resource, uid, amount, settled_at, report_id, line from (
      select *, row_number() over (partition by connection_id, day, resource, uid order by line) as time from usable) numbered
    where time = 1`.execute(db);
}

/** Entries of float accounts that belong to a payment or to a refund. The amount of a refund has no sign, as in the other views. */
async function createCredited(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view finance_credited_v1 as
    select connection_id, ${dayOf('at')} as day, 'payment'::text as resource, payment_uid as uid, amount, at, account_uid,
      id as entry_id
    from float_entries where payment_uid is not null
    union all
    select connection_id, ${dayOf('at')}, 'refund', refund_uid, -amount, at, account_uid, id
    from float_entries where refund_uid is not null and amount < 0`.execute(db);
}

/** Counts and cents of each view for each connection, day and resource. */
async function createDays(db: Kysely<unknown>): Promise<void> {
  const side = (name: string): RawBuilder<unknown> => sql`
      select connection_id, day, resource, ${sql.lit(name)}::text as side, amount from ${sql.table(`finance_${name}_v1`)}`;
  const total = (name: string): RawBuilder<unknown> => sql`
      count(*) filter (where side = ${sql.lit(name)}) as ${sql.ref(`${name}_count`)},
      coalesce(sum(amount) filter (where side = ${sql.lit(name)}), 0)::bigint as ${sql.ref(`${name}_amount`)}`;
  await sql`
    create view finance_days_v1 as
    select connection_id, day, resource, ${sql.join(SIDES.map(total))}
    from (${sql.join(SIDES.map(side), sql` union all `)}) sides
    group by connection_id, day, resource`.execute(db);
}

const SIDES = ['expected', 'settled', 'reported', 'credited'];
