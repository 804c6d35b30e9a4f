// Compares the expected, settled, reported and credited money of a day. Each uid is classified once for each step.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { classified, newestReports, ofConnection, sides, type ComparedDay } from './reconcile.js';
import type { DayStep, DifferenceName, LaterSide, PlannedTotal } from '../domain/settlement/expected.js';
import type { Tables } from './tables.js';

export interface ExpectedOnDay {
  steps: DayStep[];
  planned: PlannedTotal[];
}

/** @throws the errors of the database. */
export async function readExpected(db: Kysely<Tables>, request: ComparedDay): Promise<ExpectedOnDay> {
  const [steps, planned] = await Promise.all([readSteps(db, request), readPlanned(db, request)]);
  return { steps, planned };
}

interface StepRow {
  connection_id: string;
  resource: 'payment' | 'refund';
  side: LaterSide;
  name: DifferenceName | null;
  before_count: number;
  before_amount: number;
  after_count: number;
  after_amount: number;
}

async function readSteps(db: Kysely<Tables>, request: ComparedDay): Promise<DayStep[]> {
  const { rows } = await sql<StepRow>`
    with report as (${newestReports(request)}),
      ${sides(request)},
      ${classified(request)},
      touched as (${touched('payment', request)} union all ${touched('refund', request)}),
      step as (${settledSteps} union all ${laterSteps})
    select connection_id, kind as resource, side, name,
      count(before) as before_count, coalesce(sum(before), 0)::bigint as before_amount,
      count(after) as after_count, coalesce(sum(after), 0)::bigint as after_amount
    from step where connection_id is not null
    group by connection_id, kind, side, name`.execute(db);
  return rows.map(({ connection_id: connectionId, resource, side: to, name, ...row }) => ({
    ...{ connectionId, resource, to, name: name ?? undefined },
    before: { count: row.before_count, amount: row.before_amount },
    after: { count: row.after_count, amount: row.after_amount },
  }));
}

/** As the lists index it. Without a time of the request, it is in 1970. */
const CREATED = sql`coalesce(requested_at, timestamptz '1970-01-01 00:00:00+00')`;

const TABLES = {
  payment: { table: 'payments', settledAt: 'settled_at' },
  refund: { table: 'refunds', settledAt: 'processed_at' },
};

/** Payments or refunds that were requested on the day, whatever became of them, or that settled on it. */
function touched(kind: 'payment' | 'refund', { from, until, connection }: ComparedDay): RawBuilder<unknown> {
  const { table, settledAt: name } = TABLES[kind];
  const settledAt = sql.ref(name);
  return sql`
        select connection_id, ${sql.lit(kind)} as kind, amount, state, ${settledAt} is not null as has_settled,
          ${CREATED} >= ${from} and ${CREATED} < ${until} as is_requested,
          coalesce(${settledAt} >= ${from} and ${settledAt} < ${until}, false) as is_settled
        from ${sql.table(table)}
        where ((${CREATED} >= ${from} and ${CREATED} < ${until}) or (${settledAt} >= ${from} and ${settledAt} < ${until}))
          and ${ofConnection(connection)}`;
}

const settledSteps = sql`
        select connection_id, kind, 'settled' as side,
          case
            when is_requested and is_settled then null
            when is_settled then 'requested_another_day'
            when has_settled then 'settled_another_day'
            when state in ('failed', 'withdrawn', 'lapsed', 'unresolved', 'unknown') then state
            else 'in_flight' end as name,
          case when is_requested then amount end as before, case when is_settled then amount end as after
        from touched`;

/** Lines that are no settlement are counted nowhere, as in the reconciliation. */
const counted = sql`comparison not in ('repeated_line', 'unreadable_line', 'reversal', 'unlisted_type')`;

const laterSteps = sql`
        select connection_id, kind, 'reported', nullif(comparison, 'agrees'), our_amount, their_amount
        from classified where ${counted} and (our_amount is not null or their_amount is not null)
        union all
        select connection_id, kind, 'credited',
          case
            when their_amount = float_amount then null
            when their_amount is not null and float_amount is not null then 'credited_amount_differs'
            when their_amount is not null then
              case when is_credited_once then 'credited_another_day' when is_decided then 'credited_by_decision' else 'not_credited' end
            when elsewhere_amount is not null then 'reported_another_day'
            when comparison = 'other_day' then 'settled_another_day'
            else comparison end,
          their_amount, float_amount
        from classified
        left join lateral (
          select true as is_credited_once from float_entries
          where float_amount is null and kind = 'payment' and payment_uid = uid and amount > 0
            and float_entries.connection_id = classified.connection_id
          union all
          select true from float_entries
          where float_amount is null and kind = 'refund' and refund_uid = uid and amount < 0
            and float_entries.connection_id = classified.connection_id
          limit 1) credited on true
        left join lateral (
          select true as is_decided from unmatched_credits
          where float_amount is null and kind = 'payment' and state = 'matched' and payment_uid = classified.uid limit 1) decided on true
        where ${counted} and (their_amount is not null or float_amount is not null)`;

async function readPlanned(db: Kysely<Tables>, { day, connection }: ComparedDay): Promise<PlannedTotal[]> {
  const { rows } = await sql<{ connection_id: string; count: number; amount: number }>`
    select connection_id, count(*) as count, sum(amount)::bigint as amount from finance_planned_v1
    where day = ${day} and connection_id is not null and ${ofConnection(connection)}
    group by connection_id`.execute(db);
  return rows.map(({ connection_id: connectionId, count, amount }) => ({ connectionId, count, amount }));
}
