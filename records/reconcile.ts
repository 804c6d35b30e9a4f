// Compares the payments and refunds of a day with its settlement report and the float accounts, in one pass of SQL.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { all, given, type Condition } from './conditions.js';
import type { Instant } from '../domain/facts/fact.js';
import type {
  Compared,
  Comparison,
  ReconciliationException,
  ExceptionKind,
} from '../domain/settlement/reconciliation.js';
import type { ReportProblem, ReportState } from '../domain/settlement/report.js';
import type { Day } from '../domain/time/calendar.js';
import type { Tables } from './tables.js';

export interface ComparedDay {
  day: Day;
  /** The first instant of the day, and of the next one. */
  from: Instant;
  until: Instant;
  connection: string | undefined;
}

export interface ReconciliationRequest extends ComparedDay {
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
  /** Connections that have no stored report, and should have one: something of them settled, or they had a consent on the day. */
  awaited: string[];
  compared: Compared[];
  exceptions: ReconciliationException[];
  float: FloatTotal[];
}

/** @throws the errors of the database. */
export async function reconcileDay(db: Kysely<Tables>, request: ReconciliationRequest): Promise<Reconciled> {
  const [reports, awaited, groups, float] = await Promise.all([
    readReports(db, request),
    connectionsWithout(db, request),
    compare(db, request),
    sumFloat(db, request),
  ]);
  return {
    ...{ reports, awaited },
    compared: groups.map(({ exceptions, ...counted }) => counted),
    exceptions: groups.flatMap(({ exceptions }) => exceptions),
    float,
  };
}

export const ofConnection = (connection: string | undefined): Condition =>
  all(...given(connection, (id) => sql`connection_id = ${id}`));

/** The newest report of each connection. */
export const newestReports = ({ day, connection }: ComparedDay): RawBuilder<unknown> => sql`
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

/**
 * Connections without a stored report that should have one. A connection has a consent on a day if it was healthy at its beginning or at any time of
 * it, by its recorded states. Without such an entry, its row counts.
 */
async function connectionsWithout(
  db: Kysely<Tables>,
  { day, from, until, connection }: ReconciliationRequest,
): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select uid from connections
    where ${all(...given(connection, (id) => sql`uid = ${id}`))}
      and not exists (select from settlement_reports where connection_id = connections.uid and day = ${day})
      and (exists (select from payments
          where connection_id = connections.uid and settled_at >= ${from} and settled_at < ${until})
        or exists (select from refunds
          where connection_id = connections.uid and processed_at >= ${from} and processed_at < ${until})
        or (requested_at < ${until} and (
          exists (select from entries where workflow_id = connections.workflow_id and kind = 'state'
            and name = ${CONSENTED} and occurred_at >= ${from} and occurred_at < ${until})
          or coalesce(
            (select name from entries where workflow_id = connections.workflow_id and kind = 'state' and occurred_at < ${from}
              order by occurred_at desc, sequence desc limit 1) = ${CONSENTED},
            case when state = ${CONSENTED} then state_since < ${until} else state_since >= ${from} end))))
    order by uid`.execute(db);
  return rows.map(({ uid }) => uid);
}

const CONSENTED = 'healthy';

interface FoundException {
  connection_id: string;
  uid: string;
  our_amount: number | null;
  their_amount: number | null;
  float_amount: number | null;
  settled_at: string | null;
  line: number | null;
  other_connection: string | null;
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
      ${classified(request)}
    select comparison, kind, count(*) as count, count(our_amount) as our_count,
      coalesce(sum(our_amount), 0)::bigint as our_amount, count(their_amount) as their_count,
      coalesce(sum(their_amount), 0)::bigint as their_amount, count(float_amount) as in_float,
      (array_agg(json_build_object('connection_id', connection_id, 'uid', uid, 'our_amount', our_amount,
          'their_amount', coalesce(their_amount, elsewhere_amount), 'float_amount', float_amount, 'settled_at', settled_at,
          'line', line, 'other_connection', other_connection)
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

/** A report without types shows a refund as a debit. Without its type, a negative line was read as a reversal. */
const IS_UNTYPED_REFUND = sql`is_untyped and kind = 'refund' and problem = 'reversal'`;

/** Lines of the reports, our settled payments and refunds of the day, and their entries in float accounts. */
export function sides({ from, until, connection }: ComparedDay): RawBuilder<unknown> {
  const on = ofConnection(connection);
  return sql`
      line as (
        select connection_id, line, uid, kind, settled_at,
          case when ${IS_UNTYPED_REFUND} then abs(amount) else amount end as amount,
          case when ${IS_UNTYPED_REFUND} then null else problem end as problem
        from (
          select report.connection_id, one.line, one.uid, one.amount, one.settled_at, one.problem, one.kind is null as is_untyped,
            coalesce(one.kind, case
              when exists (select from payments where uid = one.uid) then 'payment'
              when exists (select from refunds where uid = one.uid) then 'refund'
              else 'payment' end) as kind
          from report join settlement_lines one on one.report_id = report.id) typed),
      usable as (
        select * from line where uid <> '' and amount is not null and problem is null),
      ours as (
        select connection_id, 'payment' as kind, uid, amount, settled_at from payments
        where settled_at >= ${from} and settled_at < ${until} and ${on}
        union all
        select connection_id, 'refund', uid, amount, processed_at from refunds
        where processed_at >= ${from} and processed_at < ${until} and ${on}),
      entry as (
        select connection_id, 'payment' as kind, payment_uid as uid, amount, at from float_entries
        where payment_uid is not null and amount > 0 and at >= ${from} and at < ${until} and ${on}
        union all
        select connection_id, 'refund', refund_uid, -amount, at from float_entries
        where refund_uid is not null and amount < 0 and at >= ${from} and at < ${until} and ${on})`;
}

/** Usable lines of the newest report of another day, of the same connection and kind. */
const linesElsewhere = ({ day }: ComparedDay): RawBuilder<unknown> => sql`
          from settlement_lines other
          join settlement_reports its on its.id = other.report_id and its.state = 'stored'
            and its.connection_id = both_sides.connection_id and its.day <> ${day}
          where other.uid = both_sides.uid and other.amount is not null and other.problem is null
            and coalesce(other.kind, both_sides.kind) = both_sides.kind
            and not exists (select from settlement_reports newer where newer.connection_id = its.connection_id
              and newer.day = its.day and newer.fetched_at > its.fetched_at)`;

/** `elsewhere`: the line that another day has instead, with the same amount if there is one. `counted`: the day of settlement, or an earlier one, has it too. */
const otherDays = (request: ComparedDay): RawBuilder<unknown> => sql`
        left join lateral (
          select other.amount ${linesElsewhere(request)} and not is_theirs
          order by other.amount = our_amount desc nulls last limit 1) elsewhere on true
        left join lateral (
          select true as is_counted ${linesElsewhere(request)} and is_theirs and not is_ours
            and (its.day < ${request.day} or its.day = (found.settled_at at time zone 'Australia/Sydney')::date)
          limit 1) counted on true`;

/** Each uid once. If several lines have it, the first one counts: arrays are compared by their first element. */
const BOTH_SIDES = sql`
      both_sides as (
        select connection_id, kind, uid, max(ours) as our_amount, (min(theirs))[2] as their_amount, max(in_float) as float_amount,
          (min(theirs))[1] as line, count(theirs) as lines, coalesce(max(our_time), max(their_time), max(float_time)) as settled_at,
          count(our_time) > 0 as is_ours, count(theirs) > 0 as is_theirs
        from (
          select connection_id, kind, uid, amount as ours, null::bigint[] as theirs, null::bigint as in_float,
            settled_at as our_time, null::timestamptz as their_time, null::timestamptz as float_time
          from ours
          union all
          select connection_id, kind, uid, null, array[line, amount], null, null, settled_at, null from usable
          union all
          select connection_id, kind, uid, null, null, amount, null, null, at from entry) side
        group by connection_id, kind, uid)`;

/** Each uid once, with how it compares, and each line that is no settlement. */
export const classified = (request: ComparedDay): RawBuilder<unknown> => sql`
      ${BOTH_SIDES},
      classified as (
        select connection_id, kind, uid, our_amount, their_amount, float_amount, settled_at, line,
          null::bigint as elsewhere_amount, null::text as other_connection, 'agrees' as comparison
        from both_sides where our_amount = their_amount
        union all
        select both_sides.connection_id, both_sides.kind, both_sides.uid, our_amount, their_amount, float_amount,
          both_sides.settled_at, both_sides.line, elsewhere.amount as elsewhere_amount,
          case when found.connection_id <> both_sides.connection_id then found.connection_id end as other_connection,
          case
            when report.id is null then 'unreported'
            when is_ours and is_theirs then 'amounts_differ'
            when is_ours then case
              when elsewhere.amount is null then 'missing_in_report'
              when elsewhere.amount = our_amount then 'other_day'
              else 'amounts_differ' end
            when is_theirs then case
              when found.uid is null then 'unknown_here'
              when found.connection_id <> both_sides.connection_id then 'other_connection'
              when found.settled_at is null then 'not_settled_here'
              when is_counted then 'repeated_line'
              else 'other_day' end
            when elsewhere.amount is not null or found.settled_at is not null then 'other_day'
            else 'only_in_float' end as comparison
        from both_sides
        left join report on report.connection_id = both_sides.connection_id and report.state = 'stored'
        left join lateral (
          select uid, connection_id, settled_at from payments
          where not is_ours and both_sides.kind = 'payment' and payments.uid = both_sides.uid
          union all
          select uid, connection_id, processed_at from refunds
          where not is_ours and both_sides.kind = 'refund' and refunds.uid = both_sides.uid) found on true
        ${otherDays(request)}
        where (our_amount = their_amount) is not true
        union all
        select usable.connection_id, usable.kind, usable.uid, null, usable.amount, null, usable.settled_at, usable.line,
          null, null, 'repeated_line'
        from usable join both_sides using (connection_id, kind, uid) where lines > 1 and usable.line > both_sides.line
        union all
        select connection_id, kind, uid, null, amount, null, settled_at, line, null, null,
          case when uid = '' or amount is null then 'unreadable_line' else problem end
        from line where uid = '' or amount is null or problem is not null)`;

const exceptionOf = (
  kind: ExceptionKind,
  resource: 'payment' | 'refund',
  found: FoundException,
): ReconciliationException => ({
  ...{ kind, resource, connectionId: found.connection_id, uid: found.uid },
  ...{ settledAmount: found.our_amount ?? undefined, reportedAmount: found.their_amount ?? undefined },
  ...{ floatAmount: found.float_amount ?? undefined, line: found.line ?? undefined },
  otherConnectionId: found.other_connection ?? undefined,
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
    from float_entries entry left join unmatched_credits credit on credit.uid = coalesce(entry.case_uid, entry.id)
      and credit.account_uid = entry.account_uid
    where entry.at >= ${from} and entry.at < ${until}
      and ${all(...given(connection, (id) => sql`entry.connection_id = ${id}`))}
    group by 1, 2`.execute(db);
  return rows.map(({ is_credit: isCredit, is_matched: isMatched, count, amount }) => ({
    ...{ isCredit, isMatched, count, amount },
  }));
}
