// The audit of webhook deliveries: which ones we missed, and the report of what happened to them. Pure.
import type { Instant } from './fact.js';

/** A delivery that the provider logged as unanswered or refused. */
export interface Missed {
  id: string;
  /** The provider's state, which may be unknown to us. */
  state?: string | undefined;
  createdAt?: Instant | undefined;
}

/** What an audit did about a missed delivery. Every missed delivery has exactly one outcome. */
export const OUTCOMES = [
  'handedIn', // Its events were delivered in the same way as those of a webhook.
  'unreadable', // We cannot read its payload.
  'gone', // The provider lists it but no longer has its payload.
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The result of an audit. `missed` is the sum of all outcomes. */
export interface AuditReport extends Readonly<Record<Outcome, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** How many webhooks had their log read, and how many point to other systems. */
  webhooks: number;
  elsewhere: number;
  missed: number;
  /** Deliveries that the provider is still retrying. */
  underWay: number;
  /** At most 100 for each outcome: the uids of resources for `handedIn`, otherwise the ids of deliveries. */
  named: Readonly<Record<Outcome, readonly string[]>>;
  /** Older deliveries need no further audit. Absent until an audit has completed. */
  settledUntil?: Instant | undefined;
  /** The code of the error that stopped the audit early. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** The provider retries for an hour (docs/provider.md#webhooks). We double that because its clock may differ from ours. */
const UNDER_WAY_MS = 2 * 60 * 60 * 1000;
const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'retrying']);

/** @param settledUntil from the previous audit. */
export const newAudit = (
  connectionId: string,
  startedAt: Instant,
  settledUntil: Instant | undefined,
): AuditReport => ({
  connectionId,
  startedAt,
  webhooks: 0,
  elsewhere: 0,
  missed: 0,
  underWay: 0,
  handedIn: 0,
  unreadable: 0,
  gone: 0,
  named: { handedIn: [], unreadable: [], gone: [] },
  settledUntil,
});

/**
 * The deliveries that an audit must hand in, oldest first, and how many are still being retried. A delivery without a time is handed in
 * each time, which is harmless: known facts change nothing.
 */
export function toHandIn(
  listed: readonly Missed[],
  { startedAt, settledUntil = '' }: AuditReport,
): { missed: Missed[]; underWay: number } {
  const young = before(startedAt);
  const isUnderWay = ({ state = '', createdAt }: Missed): boolean =>
    UNDER_WAY.has(state) && createdAt !== undefined && createdAt >= young;
  const isSettled = ({ createdAt }: Missed): boolean => createdAt !== undefined && createdAt < settledUntil;
  const open = [...new Map(listed.map((one) => [one.id, one])).values()].filter((one) => !isSettled(one));
  const missed = open.filter((one) => !isUnderWay(one));
  return {
    missed: missed.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
    underWay: open.length - missed.length,
  };
}

/** The sort key of a delivery: its time, then its id. */
export const placeOf = ({ id, createdAt = '' }: Missed): string => `${createdAt} ${id}`;

const before = (at: Instant): Instant => new Date(Date.parse(at) - UNDER_WAY_MS).toISOString();

/** Adds one delivery to the report. @param names uids or ids that help an operator to find it. */
export function recordOutcome(report: AuditReport, outcome: Outcome, names: readonly string[]): AuditReport {
  const all = [...new Set([...report.named[outcome], ...names])].slice(0, NAMED_AT_MOST);
  const named = { ...report.named, [outcome]: all };
  return { ...report, missed: report.missed + 1, [outcome]: report[outcome] + 1, named };
}

/**
 * The report of a completed audit. The next audit covers deliveries that were still being retried at the start. It also covers unreadable
 * ones, as long as the provider lists them.
 */
export const endReport = (report: AuditReport, oldestUnreadable: Instant | undefined): AuditReport => {
  const settled = before(report.startedAt);
  const isUnsettled = oldestUnreadable !== undefined && oldestUnreadable < settled;
  return { ...report, settledUntil: isUnsettled ? oldestUnreadable : settled };
};

/** Reads `settledUntil` from the result of an earlier audit; undefined if there is none or it is not from an audit. */
export function settledIn(result: unknown): Instant | undefined {
  const found: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'settledUntil') : undefined;
  return typeof found === 'string' ? found : undefined;
}
