// The audit of webhook deliveries: which ones we missed, and the report of what happened to them. Pure.
import type { Instant } from '../facts/fact.js';

/** A delivery that the provider logged as unanswered or refused. */
export interface Missed {
  id: string;
  createdAt?: Instant | undefined;
}

/** What an audit did about a missed delivery. Every missed delivery has exactly one outcome. */
export const OUTCOMES = [
  'handedIn', // Its events were delivered in the same way as those of a webhook.
  'unreadable', // We cannot read its payload. An operator gets a notification about it.
  'gone', // The provider lists it but no longer has its payload.
] as const;
export type AuditOutcome = (typeof OUTCOMES)[number];

/** The result of an audit. `missed` is the sum of all outcomes. */
export interface AuditReport extends Readonly<Record<AuditOutcome, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** How many webhooks had their log read, and how many point to other systems. */
  webhooks: number;
  elsewhere: number;
  missed: number;
  /** At most 100 for each outcome: the uids of resources for `handedIn`, otherwise the ids of deliveries. */
  named: Readonly<Record<AuditOutcome, readonly string[]>>;
  /** Older deliveries need no further audit. Absent until an audit has completed. */
  settledUntil?: Instant | undefined;
  /** The code of the error that stopped the audit early. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** The next audit reads these last minutes again, because the provider's clock may differ from ours, and its log may be late. */
const OVERLAP_MS = 10 * 60_000;

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
  handedIn: 0,
  unreadable: 0,
  gone: 0,
  named: { handedIn: [], unreadable: [], gone: [] },
  settledUntil,
});

/**
 * The deliveries that an audit must hand in, oldest first, also if the provider is still retrying them. A delivery without a time is handed
 * in each time, which is harmless: known facts change nothing.
 */
export function toHandIn(listed: readonly Missed[], { settledUntil = '' }: AuditReport): Missed[] {
  const isSettled = ({ createdAt }: Missed): boolean => createdAt !== undefined && createdAt < settledUntil;
  return [...new Map(listed.map((one) => [one.id, one])).values()]
    .filter((one) => !isSettled(one))
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** The sort key of a delivery: its time, then its id. */
export const placeOf = ({ id, createdAt = '' }: Missed): string => `${createdAt} ${id}`;

/** Adds one delivery to the report. @param names uids or ids that help an operator to find it. */
export function applyOutcome(report: AuditReport, outcome: AuditOutcome, names: string[]): AuditReport {
  const all = [...new Set([...report.named[outcome], ...names])].slice(0, NAMED_AT_MOST);
  const named = { ...report.named, [outcome]: all };
  return { ...report, missed: report.missed + 1, [outcome]: report[outcome] + 1, named };
}

/** The report of a completed audit. Each older delivery was answered with success or handed in. */
export const endReport = (report: AuditReport): AuditReport => ({
  ...report,
  settledUntil: new Date(Date.parse(report.startedAt) - OVERLAP_MS).toISOString(),
});

/** Reads `settledUntil` from the result of an earlier audit; undefined if there is none or it is not from an audit. */
export function settledIn(result: unknown): Instant | undefined {
  const found: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'settledUntil') : undefined;
  return typeof found === 'string' ? found : undefined;
}
