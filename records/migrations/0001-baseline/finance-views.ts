// Views for finance's own tools. Their names have a version: a view whose columns change gets a new one, and the old one stays for a release.

/** Each payment and refund on the day it was requested, whatever became of it: its state explains why it did not settle. */
const EXPECTED = `
  create view finance_expected_v1 as
    select connection_id, (requested_at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, uid, amount,
      state, requested_at, (settled_at at time zone 'Australia/Sydney')::date as settled_day
    from payments where requested_at is not null
    union all
    select connection_id, (requested_at at time zone 'Australia/Sydney')::date, 'refund', uid, amount, state, requested_at,
      (processed_at at time zone 'Australia/Sydney')::date
    from refunds where requested_at is not null;
`;

const SETTLED = `
  create view finance_settled_v1 as
    select connection_id, (settled_at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, uid, amount,
      settled_at
    from payments where settled_at is not null
    union all
    select connection_id, (processed_at at time zone 'Australia/Sydney')::date, 'refund', uid, amount, processed_at
    from refunds where processed_at is not null;
`;

/**
 * As the reconciliation reads reports: the newest of each day, without lines that are no settlement or name a uid again. A reversal without a
 * type is a refund if its uid is that of a refund.
 */
const REPORTED = `
  create view finance_reported_v1 as
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
    where time = 1;
`;

/** Entries of float accounts that belong to a payment or to a refund. The amount of a refund has no sign, as in the other views. */
const CREDITED = `
  create view finance_credited_v1 as
    select connection_id, (at at time zone 'Australia/Sydney')::date as day, 'payment'::text as resource, payment_uid as uid,
      amount, at, account_uid, id as entry_id
    from float_entries where payment_uid is not null and amount > 0
    union all
    select connection_id, (at at time zone 'Australia/Sydney')::date, 'refund', refund_uid, -amount, at, account_uid, id
    from float_entries where refund_uid is not null and amount < 0;
`;

const SIDES = ['expected', 'settled', 'reported', 'credited'];

/** Counts and cents of each view for each connection, day and resource. */
const DAYS = `
  create view finance_days_v1 as
    select connection_id, day, resource, ${SIDES.map(
      (side) => `
      count(*) filter (where side = '${side}') as ${side}_count,
      coalesce(sum(amount) filter (where side = '${side}'), 0)::bigint as ${side}_amount`,
    ).join()}
    from (${SIDES.map(
      (side) => `
      select connection_id, day, resource, '${side}'::text as side, amount from finance_${side}_v1`,
    ).join(' union all ')}) sides
    group by connection_id, day, resource;
`;

/** Payments that the plans of agreements will request. */
const PLANNED = `
  create view finance_planned_v1 as
    select connection_id, (payment ->> 'day')::date as day, uid as agreement_uid, (payment ->> 'amount')::bigint as amount
    from agreements cross join lateral jsonb_array_elements(planned) payment
    where planned is not null;
`;

export const FINANCE_VIEWS = [EXPECTED, SETTLED, REPORTED, CREDITED, DAYS, PLANNED].join('\n');
