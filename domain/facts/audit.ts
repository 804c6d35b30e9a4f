// One audit of what the provider pushed: which deliveries were missed, and the report that adds up what became of them. Pure.
import type { Instant } from './fact.js';

/** A delivery that had no answer or a refusal, as the provider's log lists it. */
export interface Missed {
  id: string;
  /** The provider's word, perhaps one that we do not know. */
  state?: string | undefined;
  createdAt?: Instant | undefined;
}

/** What became of a missed delivery. Each is one of these and no other. */
export const OUTCOMES = [
  'handedIn', // its events were delivered as the bridge delivers them
  'unreadable', // its payload is none that we can read
  'gone', // listed, and no longer kept
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What an audit leaves as its result. `missed` is the sum of all outcomes. */
export interface AuditReport extends Readonly<Record<Outcome, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** How many webhooks were read of, and how many point to other systems. */
  webhooks: number;
  elsewhere: number;
  missed: number;
  /** Those that the provider still sends again by itself. */
  underWay: number;
  /** Of the first hundred each: uids of what was handed in, else the ids of deliveries. */
  named: Readonly<Record<Outcome, readonly string[]>>;
  /** What was made before this need not be audited again. Absent until an audit has reached its end. */
  settledUntil?: Instant | undefined;
  /** Why it did not reach the end: the code of what stood in its way. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** The provider tries for an hour (docs/provider.md#webhooks); twice that leaves room for its clock and ours. */
const UNDER_WAY_MS = 2 * 60 * 60 * 1000;
const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'retrying']);

/** @param settledUntil what the audit before this one left as settled. */
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
 * What an audit has to hand in, oldest first, and how many more are under way. One that bears no time is handed in every time:
 * facts that are known change nothing.
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

/** Where a delivery stands in the order in which an audit hands them in. */
export const placeOf = ({ id, createdAt = '' }: Missed): string => `${createdAt} ${id}`;

const before = (at: Instant): Instant => new Date(Date.parse(at) - UNDER_WAY_MS).toISOString();

/** The report with one delivery more. @param names what an operator would look for. */
export function recordOutcome(report: AuditReport, outcome: Outcome, names: readonly string[]): AuditReport {
  const all = [...new Set([...report.named[outcome], ...names])].slice(0, NAMED_AT_MOST);
  const named = { ...report.named, [outcome]: all };
  return { ...report, missed: report.missed + 1, [outcome]: report[outcome] + 1, named };
}

/**
 * The report of an audit that has reached its end. What was under way at its start is for the next one, and so is what could not
 * be read, for as long as the provider keeps it.
 */
export const endReport = (report: AuditReport, oldestUnreadable: Instant | undefined): AuditReport => {
  const settled = before(report.startedAt);
  const isUnsettled = oldestUnreadable !== undefined && oldestUnreadable < settled;
  return { ...report, settledUntil: isUnsettled ? oldestUnreadable : settled };
};

/** What an earlier audit left as settled, from its result; nothing where there is none, or it is none of ours. */
export function settledIn(result: unknown): Instant | undefined {
  const found: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'settledUntil') : undefined;
  return typeof found === 'string' ? found : undefined;
}
