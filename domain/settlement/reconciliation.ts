// How the payments and refunds of a day compare with the provider's settlement report. Pure.
import type { Instant } from '../facts/fact.js';
import type { ReportProblem, ReportState } from './report.js';
import { reportDueAt, reportLateAt } from './days.js';
import type { Day } from '../time/calendar.js';

/** How one payment, refund or line compares. The first two are no exceptions. `unreported`: there is no report to compare with. */
export const COMPARISONS = [
  'agrees',
  'unreported',
  'missing_in_report',
  'unknown_here',
  'not_settled_here',
  'amounts_differ',
  'other_day',
  'other_connection',
  'repeated_line',
  'unreadable_line',
  'reversal',
  'unlisted_type',
  'only_in_float',
] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type ExceptionKind = Exclude<Comparison, 'agrees' | 'unreported'>;

export interface ReconciliationException {
  kind: ExceptionKind;
  connectionId: string;
  resource: 'payment' | 'refund';
  /** Empty for a line without a usable one. */
  uid: string;
  /** Cents. */
  settledAmount: number | undefined;
  /** If only the report of another day has it: the amount there. */
  reportedAmount: number | undefined;
  floatAmount: number | undefined;
  settledAt: Instant | undefined;
  line: number | undefined;
  /** Of `other_connection`: the connection that has it here. */
  otherConnectionId: string | undefined;
}

/** What a person should do about an exception. */
export const whatToDo = ({ kind, resource, uid }: ReconciliationException): string =>
  WHAT_TO_DO[kind](`POST /v1/${resource}s/${uid}/look-up`);

/** @param lookUp the request that looks it up at the provider. */
const WHAT_TO_DO: Readonly<Record<ExceptionKind, (lookUp: string) => string>> = {
  missing_in_report: (lookUp) =>
    `It settled here, and the report does not have it. Look it up: ${lookUp}. If the provider still shows it as settled, ask the provider to correct its report.`,
  unknown_here: () =>
    'The report has it, and we do not know it. Check whether another system requested it. A sweep with SWEEP_ADOPTS=true takes it over.',
  not_settled_here: (lookUp) => `The report has it, and it has not settled here. Look it up: ${lookUp}.`,
  amounts_differ: () =>
    'Compare both amounts with the provider. Ours is the one that was requested. The line may be in the report of another day.',
  other_day: () =>
    'One side settled it on another day. Compare the times: near midnight in Sydney this is normal, and its other day agrees.',
  other_connection: () =>
    'The report of this connection has a payment or refund of another one. Ask the provider which merchant it belongs to.',
  repeated_line: () =>
    'The report has it more than once, or the report of another day has it too. It is counted once. Ask the provider.',
  unreadable_line: () => 'The line has no usable uid or amount, so it is not counted. Read it in the report.',
  reversal: (lookUp) =>
    `The report takes the money back, so the line is not counted as settled. Look it up: ${lookUp}. Then ask the provider why.`,
  unlisted_type: () =>
    'The line has a type that we cannot read, so it is not counted. Ask the provider what the type means.',
  only_in_float: (lookUp) =>
    `The float account has its money, and neither the report nor our records settled it on this day. Look it up: ${lookUp}. Then ask the provider.`,
};

/** A count, and cents. */
export interface Total {
  count: number;
  amount: number;
}

export interface Compared {
  comparison: Comparison;
  resource: 'payment' | 'refund';
  count: number;
  /** Settled here on the day. */
  settled: Total;
  /** Lines with an amount. */
  reported: Total;
  /** How many have an entry in a float account. */
  inFloat: number;
}

/** States of a report that is not stored. `not_expected`: the connection had no consent on the day, and nothing settled. */
const ABSENT_STATES = ['not_expected', 'not_due', 'awaited', 'late'] as const;
export const DAY_REPORT_STATES = [...ABSENT_STATES, 'stored', 'unreadable', 'other_day'] as const;
/** `not_due`: its business day has not begun. `awaited`: it has. `late`: it has ended. */
export type DayReportState = ReportState | (typeof ABSENT_STATES)[number];

export interface DayReport {
  connectionId: string;
  state: DayReportState;
  problem: ReportProblem | undefined;
  checksum: string | undefined;
  lineCount: number;
  fetchedAt: Instant | undefined;
}

/** The state of a report that is not stored. */
export const absentState = (day: Day, now: Instant): DayReportState =>
  now < reportDueAt(day) ? 'not_due' : now < reportLateAt(day) ? 'awaited' : 'late';

const MOST_PROPOSALS = 3;

/**
 * Exceptions of the other side with the same amount, nearest in time first. They are proposals for a person, and never facts: two payments may have
 * the same amount.
 */
export function proposalsFor(
  exception: ReconciliationException,
  all: readonly ReconciliationException[],
): string[] {
  const { [exception.kind]: other } = OTHER_SIDE;
  const amount = exception.settledAmount ?? exception.reportedAmount;
  return all
    .filter(
      (one) =>
        one.kind === other &&
        one.uid !== '' &&
        one.resource === exception.resource &&
        one.connectionId === exception.connectionId &&
        (one.settledAmount ?? one.reportedAmount) === amount,
    )
    .map((one) => ({ uid: one.uid, apartMs: apart(one.settledAt, exception.settledAt) }))
    .toSorted((a, b) => a.apartMs - b.apartMs)
    .slice(0, MOST_PROPOSALS)
    .map(({ uid }) => uid);
}

const OTHER_SIDE: Readonly<Partial<Record<ExceptionKind, ExceptionKind>>> = {
  missing_in_report: 'unknown_here',
  unknown_here: 'missing_in_report',
};

const apart = (one: Instant | undefined, other: Instant | undefined): number =>
  one === undefined || other === undefined ? Infinity : Math.abs(Date.parse(one) - Date.parse(other));
