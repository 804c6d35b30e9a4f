// Compares the payments and refunds of a day with its settlement report and the float accounts, in one pass of SQL.
import { sql } from 'kysely';
import { all, given } from './conditions.js';
import type { Kysely, RawBuilder } from 'kysely';
import type { Instant } from '../domain/facts/fact.js';
import type {
  Compared,
  Comparison,
  ReconciliationException,
  ExceptionKind,
} from '../domain/settlement/reconciliation.js';
import type { ReportProblem, ReportState } from '../domain/settlement/report.js';
import type { Day } from '../domain/time/calendar.js';
import type { Condition } from './conditions.js';
import type { Tables } from './tables.js';

export interface ReconciliationRequest {
  day: Day;
  /** The first instant of the day, and of the next one. */
  from: Instant;
  until: Instant;
  connection: string | undefined;
  /** Exceptions of each kind that are returned; all are counted. */
  limit: number;
}

export interface StoredReport {
  connectionId: string;
  state: ReportState;
  problem: ReportProblem | undefined;
  checksum: string;
  lineCount: number;
  fetchedAt: Instant;
}

/** Entries of float accounts on the day. */
export interface FloatTotal {
  isCredit: boolean;
  isMatched: boolean;
  count: number;
  /** Cents, without a sign. */
  amount: number;
}

export interface Reconciled {
  reports: StoredReport[];
  compared: Compared[];
  exceptions: ReconciliationException[];
  float: FloatTotal[];
}

/** @throws the errors of the database. */
export async function reconcileDay(db: Kysely<Tables>, request: ReconciliationRequest): Promise<Reconciled> {
  const [reports, groups, float] = await Promise.all([
    readReports(db, request),
    compare(db, request),
    sumFloat(db, request),
  ]);
  return {
    reports,
    compared: groups.map(({ exceptions, ...counted }) => counted),
    exceptions: groups.flatMap(({ exceptions }) => exceptions),
    float,
  };
}

const ofConnection = (connection: string | undefined): Condition =>
  all(...given(connection, (id) => sql`connection_id = ${id}`));

/** The newest report of each connection. */
const newestReports = ({ day, connection }: ReconciliationRequest): RawBuilder<unknown> => sql`
  select distinct on (connection_id) id, connection_id, state, problem, checksum, line_count, fetched_at
  from settlement_reports where day = ${day} and ${ofConnection(connection)}
  order by connection_id, fetched_at desc`;

async function readReports(db: Kysely<Tables>, request: ReconciliationRequest): Promise<StoredReport[]> {
  const { rows } = await sql<{
    connection_id: string;
    state: ReportState;
    problem: ReportProblem | null;
    checksum: string;
    line_count: number;
    fetched_at: Date;
  }>`${newestReports(request)}`.execute(db);
  return rows.map((row) => ({
    ...{ connectionId: row.connection_id, state: row.state, problem: row.problem ?? undefined },
    ...{ checksum: row.checksum, lineCount: row.line_count, fetchedAt: row.fetched_at.toISOString() },
  }));
}

interface FoundException {
  connection_id: string;
  uid: string;
  our_amount: number | null;
  their_amount: number | null;
  float_amount: number | null;
  settled_at: string | null;
  line: number | null;
}

interface Group {
  comparison: Comparison;
  kind: 'payment' | 'refund';
  count: number;
  our_count: number;
  our_amount: number;
  their_count: number;
  their_amount: number;
  in_float: number;
  exceptions: FoundException[] | null;
}

async function compare(
  db: Kysely<Tables>,
  request: ReconciliationRequest,
): Promise<(Compared & { exceptions: ReconciliationException[] })[]> {
  const { rows } = await sql<Group>`
    with report as (${newestReports(request)}),
      ${sides(request)},
      ${CLASSIFIED}
    select comparison, kind, count(*) as count, count(our_amount) as our_count,
      coalesce(sum(our_amount), 0)::bigint as our_amount, count(their_amount) as their_count,
      coalesce(sum(their_amount), 0)::bigint as their_amount, count(float_amount) as in_float,
      (array_agg(json_build_object('connection_id', connection_id, 'uid', uid, 'our_amount', our_amount,
          'their_amount', their_amount, 'float_amount', float_amount, 'settled_at', settled_at, 'line', line)
        order by uid, line) filter (where comparison not in ('agrees', 'unreported')))[1:${sql.lit(request.limit)}] as exceptions
    from classified group by comparison, kind order by comparison, kind`.execute(db);
  return rows.map((group) => {
    const { comparison, kind: resource, exceptions, count, in_float: inFloat } = group;
    return {
      ...{ comparison, resource, count, inFloat },
      settled: { count: group.our_count, amount: group.our_amount },
      reported: { count: group.their_count, amount: group.their_amount },
      exceptions: (exceptions ?? []).map((one) => exceptionOf(comparison as ExceptionKind, resource, one)),
    };
  });
}

/** Lines of the reports, our settled payments and refunds of the day, and their entries in float accounts. */
function sides({ from, until, connection }: ReconciliationRequest): RawBuilder<unknown> {
  const on = ofConnection(connection);
  return sql`
      line as (
        select report.connection_id, one.line, one.uid, one.amount, one.settled_at,
          coalesce(one.kind, case when payments.uid is null and refunds.uid is not null then 'refund' else 'payment' end)
            as kind
        from report join settlement_lines one on one.report_id = report.id
        left join payments on one.kind is null and payments.uid = one.uid
        left join refunds on one.kind is null and refunds.uid = one.uid),
      usable as (
        select *, row_number() over (partition by connection_id, kind, uid order by line) as time
        from line where uid <> '' and amount is not null),
      ours as (
        select connection_id, 'payment' as kind, uid, amount, settled_at from payments
        where settled_at >= ${from} and settled_at < ${until} and ${on}
        union all
        select connection_id, 'refund', uid, amount, processed_at from refunds
        where processed_at >= ${from} and processed_at < ${until} and ${on}),
      entry as (
        select connection_id, 'payment' as kind, payment_uid as uid, amount, at from float_entries
        where payment_uid is not null and at >= ${from} and at < ${until} and ${on}
        union all
        select connection_id, 'refund', refund_uid, -amount, at from float_entries
        where refund_uid is not null and amount < 0 and at >= ${from} and at < ${until} and ${on})`;
}

/** Each uid once, with how it compares. */
const CLASSIFIED = sql`
      both_sides as (
        select connection_id, kind, uid, ours.amount as our_amount, first_line.amount as their_amount,
          entry.amount as float_amount, first_line.line,
          coalesce(ours.settled_at, first_line.settled_at, entry.at) as settled_at,
          ours.uid is not null as is_ours, first_line.uid is not null as is_theirs
        from ours
        full join (select * from usable where time = 1) first_line using (connection_id, kind, uid)
        full join entry using (connection_id, kind, uid)),
      classified as (
        select both_sides.connection_id, both_sides.kind, both_sides.uid, our_amount, their_amount, float_amount,
          both_sides.settled_at, both_sides.line,
          case
            when report.id is null then 'unreported'
            when is_ours and is_theirs then
              case when our_amount = their_amount then 'agrees' else 'amounts_differ' end
            when is_ours then case when elsewhere.line is null then 'missing_in_report' else 'other_day' end
            when is_theirs then case
              when coalesce(payments.state, refunds.state) is null then 'unknown_here'
              when coalesce(payments.settled_at, refunds.processed_at) is null then 'not_settled_here'
              else 'other_day' end
            when elsewhere.line is not null or coalesce(payments.settled_at, refunds.processed_at) is not null
              then 'other_day'
            else 'only_in_float' end as comparison
        from both_sides
        left join report on report.connection_id = both_sides.connection_id and report.state = 'stored'
        left join payments on not is_ours and both_sides.kind = 'payment' and payments.uid = both_sides.uid
        left join refunds on not is_ours and both_sides.kind = 'refund' and refunds.uid = both_sides.uid
        left join lateral (
          select other.line from settlement_lines other
          join settlement_reports its on its.id = other.report_id and its.connection_id = both_sides.connection_id
          where not is_theirs and other.uid = both_sides.uid and other.report_id <> report.id limit 1) elsewhere on true
        union all
        select connection_id, kind, uid, null, amount, null, settled_at, line, 'repeated_line' from usable where time > 1
        union all
        select connection_id, kind, uid, null, amount, null, settled_at, line, 'unreadable_line' from line
        where uid = '' or amount is null)`;

const exceptionOf = (
  kind: ExceptionKind,
  resource: 'payment' | 'refund',
  found: FoundException,
): ReconciliationException => ({
  ...{ kind, resource, connectionId: found.connection_id, uid: found.uid },
  ...{ settledAmount: found.our_amount ?? undefined, reportedAmount: found.their_amount ?? undefined },
  ...{ floatAmount: found.float_amount ?? undefined, line: found.line ?? undefined },
  settledAt: found.settled_at === null ? undefined : new Date(found.settled_at).toISOString(),
});

async function sumFloat(
  db: Kysely<Tables>,
  { from, until, connection }: ReconciliationRequest,
): Promise<FloatTotal[]> {
  const { rows } = await sql<{ is_credit: boolean; is_matched: boolean; count: number; amount: number }>`
    select entry.amount > 0 as is_credit,
      entry.payment_uid is not null or entry.refund_uid is not null or coalesce(credit.state = 'matched', false)
        as is_matched,
      count(*) as count, sum(abs(entry.amount))::bigint as amount
    from float_entries entry left join unmatched_credits credit on credit.uid = entry.id
    where entry.at >= ${from} and entry.at < ${until}
      and ${all(...given(connection, (id) => sql`entry.connection_id = ${id}`))}
    group by 1, 2`.execute(db);
  return rows.map(({ is_credit: isCredit, is_matched: isMatched, count, amount }) => ({
    ...{ isCredit, isMatched, count, amount },
  }));
}
