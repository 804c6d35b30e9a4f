// The reconciliation of a day: our settled payments and refunds, the provider's report, and the float accounts.
import { z } from 'zod';
import { nextBusinessDay } from '../../../domain/time/business-days.js';
import {
  COMPARISONS,
  DAY_REPORT_STATES,
  proposalsFor,
  whatToDo,
  type Compared,
  type DayReport,
  type ExceptionKind,
  type ReconciliationException,
  type Total,
} from '../../../domain/settlement/reconciliation.js';
import type { FloatTotal } from '../../../records/reconcile.js';
import { InstantSchema, NextBusinessDaySchema } from '../../http/answer-parts.schema.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { DayParams, ReconciliationQuery } from '../../http/parameters.schema.js';
import { Cents, TotalSchema } from './total.schema.js';

const Report = z
  .object({
    connection: z.string(),
    state: z.enum(DAY_REPORT_STATES).meta({
      description:
        '`not_expected`: the connection had no consent on the day, and nothing settled. `not_due`: the next business day in Sydney has not begun. `awaited`: it has. `late`: it has ended. `unreadable`, `other_day`: stored, but none of its lines counts.',
    }),
    problem: z.string().nullable().meta({ description: 'Why its lines do not count. Null if they do.' }),
    checksum: z.string().nullable().meta({ description: 'SHA-256 of the bytes of the report, in hex.' }),
    line_count: z.int().meta({ description: 'How many lines the report has.' }),
    fetched_at: InstantSchema.nullable().meta({ description: 'Null while no report is stored.' }),
  })
  .meta({ id: 'SettlementReport' });

const Side = z
  .object({
    settled: TotalSchema.meta({ description: 'Settled here on the day. For refunds: processed.' }),
    reported: TotalSchema.meta({ description: 'Lines of the report.' }),
    agreeing: TotalSchema.meta({ description: 'Both sides have these with the same amount.' }),
    in_float: z.int().meta({ description: 'How many have an entry in a float account on the day.' }),
  })
  .meta({ id: 'ReconciledSide' });

const EXCEPTIONS = COMPARISONS.filter(
  (one): one is ExceptionKind => one !== 'agrees' && one !== 'unreported',
);
const kind = z.enum(EXCEPTIONS);
const resource = z.enum(['payment', 'refund']);

const Exception = z
  .object({
    kind,
    connection: z.string(),
    resource,
    uid: z.string().nullable().meta({ description: 'Null if the line of the report names none.' }),
    our_amount: Cents.nullable().meta({ description: 'In cents. Null if it has not settled here.' }),
    report_amount: Cents.nullable().meta({
      description: 'In cents; negative if the line takes money back. It may be in the report of another day.',
    }),
    float_amount: Cents.nullable().meta({ description: 'In cents. Null if no float account has it.' }),
    settled_at: InstantSchema.nullable().meta({ description: 'Null if it has not settled here.' }),
    line: z.int().nullable().meta({
      description: 'Which line of the report it is, from 1, without the header. Null if no line has it.',
    }),
    other_connection: z.string().nullable().meta({
      description: 'Only with `other_connection`: the connection that has it here.',
    }),
    what_to_do: z.string().meta({ description: 'What a person should do.' }),
    proposals: z.array(z.string()).meta({
      description: 'Uids of the other side with the same amount, nearest in time first. Never facts.',
    }),
  })
  .meta({ id: 'ReconciliationException' });

const FloatTotals = z
  .object({
    credits_matched: TotalSchema,
    credits_unmatched: TotalSchema,
    debits_matched: TotalSchema,
    debits_unmatched: TotalSchema,
  })
  .meta({ id: 'FloatDayTotals' });

const Reconciliation = z
  .object({
    day: z.string().meta({ format: 'date', description: 'In Sydney.' }),
    next_business_day: NextBusinessDaySchema,
    from: InstantSchema.meta({ description: 'When the day begins.' }),
    until: InstantSchema.meta({ description: 'When the next day begins.' }),
    reports: z
      .array(Report)
      .meta({ description: 'One for each connection that has a report, or should have one.' }),
    payments: Side,
    refunds: Side,
    float: FloatTotals.meta({ description: 'Entries of the float accounts on the day.' }),
    exception_counts: z.array(z.object({ kind, resource, count: z.int() })),
    exceptions: z.array(Exception).meta({ description: 'At most 500 of each kind. All are counted.' }),
  })
  .meta({ id: 'Reconciliation' });
export const ReconciliationAnswer = z.object({ data: Reconciliation }).meta({ id: 'ReconciliationAnswer' });

const stated = contract({
  method: 'get',
  path: '/v1/reconciliation/{day}',
  operationId: 'reconcileDay',
  tags: ['settlement'],
  summary: 'Compare a day with the provider’s settlement report and the float accounts',
  description:
    'Call this for a day once its settlement report is due, which is when the next business day begins in Sydney; `settlement.reported` says that a report was stored. ' +
    'It compares what settled here with the provider’s report and with the float accounts, and answers with totals and with exceptions that say what to do. ' +
    'Only uids match: the same amount or time is a proposal. ' +
    'It reads the records at the time of the request, and changes nothing; a later call may show fewer exceptions.',
  task: 'float.md#reconcile-a-day',
  access: 'read',
  connection: 'query',
  request: { params: DayParams, query: ReconciliationQuery },
  answers: { 200: json('The answer compares the day as the records have it now.', ReconciliationAnswer) },
  problems: [422, 503],
});

export const reconcileDay = endpoint(stated, ({ temporal, clock }) => async (c) => {
  const { day } = c.req.valid('param');
  const { connection: named } = c.req.valid('query');
  const connection = named === undefined ? undefined : await temporal.connectionFor(named);
  const now = new Date(clock.now()).toISOString();
  const found = await temporal.settlement.reconcile(day, connection, now);
  const data: z.output<typeof Reconciliation> = {
    ...{
      day,
      next_business_day: nextBusinessDay(day),
      from: found.from,
      until: found.until,
      reports: found.reports.map(reportAnswer),
    },
    payments: sideOf(found.compared, 'payment'),
    refunds: sideOf(found.compared, 'refund'),
    float: {
      ...{
        credits_matched: floatTotal(found.float, true, true),
        credits_unmatched: floatTotal(found.float, true, false),
      },
      ...{
        debits_matched: floatTotal(found.float, false, true),
        debits_unmatched: floatTotal(found.float, false, false),
      },
    },
    exception_counts: found.compared.flatMap(({ comparison, resource: of, count }) =>
      comparison === 'agrees' || comparison === 'unreported'
        ? []
        : [{ kind: comparison, resource: of, count }],
    ),
    exceptions: found.exceptions.map((exception) => exceptionAnswer(exception, found.exceptions)),
  };
  return c.json({ data }, 200);
});

const reportAnswer = (report: DayReport): z.output<typeof Report> => ({
  ...{ connection: report.connectionId, state: report.state, problem: report.problem ?? null },
  ...{
    checksum: report.checksum ?? null,
    line_count: report.lineCount,
    fetched_at: report.fetchedAt ?? null,
  },
});

/** Lines that do not count. */
const UNCOUNTED = ['repeated_line', 'unreadable_line', 'reversal', 'unlisted_type'];

function sideOf(compared: readonly Compared[], of: Compared['resource']): z.output<typeof Side> {
  const its = compared.filter((one) => one.resource === of);
  const agreeing = its.find(({ comparison }) => comparison === 'agrees');
  return {
    settled: sumOf(its.map(({ settled }) => settled)),
    reported: sumOf(
      its.filter(({ comparison }) => !UNCOUNTED.includes(comparison)).map(({ reported }) => reported),
    ),
    agreeing: agreeing?.settled ?? { count: 0, amount: 0 },
    in_float: its.reduce((count, { inFloat }) => count + inFloat, 0),
  };
}

const sumOf = (totals: readonly Total[]): Total =>
  totals.reduce((sum, { count, amount }) => ({ count: sum.count + count, amount: sum.amount + amount }), {
    count: 0,
    amount: 0,
  });

function floatTotal(totals: readonly FloatTotal[], isCredit: boolean, isMatched: boolean) {
  const found = totals.find((one) => one.isCredit === isCredit && one.isMatched === isMatched);
  return { count: found?.count ?? 0, amount: found?.amount ?? 0 };
}

const exceptionAnswer = (
  exception: ReconciliationException,
  all: readonly ReconciliationException[],
): z.output<typeof Exception> => ({
  ...{ kind: exception.kind, connection: exception.connectionId, resource: exception.resource },
  ...{ uid: exception.uid === '' ? null : exception.uid, our_amount: exception.settledAmount ?? null },
  ...{ report_amount: exception.reportedAmount ?? null, float_amount: exception.floatAmount ?? null },
  ...{ settled_at: exception.settledAt ?? null, line: exception.line ?? null },
  other_connection: exception.otherConnectionId ?? null,
  what_to_do: whatToDo(exception),
  proposals: proposalsFor(exception, all),
});
