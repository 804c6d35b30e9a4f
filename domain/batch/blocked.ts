// Rows of a batch that were started and wait for a person, for consent or for the end of a stop. Pure.
import type { Attention } from '../attention/flags.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { Instant } from '../facts/fact.js';

/** What only a person can end. */
const BLOCKING: readonly AwaitingWhat[] = ['operator', 'reauthorisation', 'consent', 'stop'];

/** What blocks a row; nothing where it waits for the provider. @param awaiting what its agreement or payment waits for. */
export const blockedBy = (awaiting: string | undefined): AwaitingWhat | undefined =>
  BLOCKING.find((what) => what === awaiting);

/** Blocked rows of a chunk: how many, and the first of them. */
export interface BlockedRows {
  count: number;
  oldest: { uid: string; since: Instant }[];
}

/** So many are named, of a chunk and of a batch. */
const MOST_NAMED = 20;
/** Rows that are blocked for longer need attention. */
const OVERDUE_MS = 24 * 60 * 60 * 1000;

export const blockedRows = (rows: BlockedRows['oldest']): BlockedRows => ({
  count: rows.length,
  oldest: [...rows].sort((one, other) => one.since.localeCompare(other.since)).slice(0, MOST_NAMED),
});

/** When the first of these rows will be overdue, in epoch milliseconds. */
export const overdueAtMs = (chunks: readonly BlockedRows[]): number =>
  Math.min(...chunks.flatMap(({ oldest }) => oldest.map(({ since }) => Date.parse(since) + OVERDUE_MS)));

/** Names the rows that are blocked for more than a day; nothing where there is none. */
export function overdueFlag(chunks: readonly BlockedRows[], now: Instant): Attention | undefined {
  const { oldest } = blockedRows(chunks.flatMap((chunk) => chunk.oldest));
  const late = oldest.filter(({ since }) => Date.parse(since) + OVERDUE_MS <= Date.parse(now));
  const [first] = late;
  if (first === undefined) return undefined;
  const others = chunks.reduce((sum, { count }) => sum + count, 0) - late.length;
  const named = late.map(({ uid }) => uid).join(', ') + (others === 0 ? '' : `, and ${others} more`);
  return {
    code: 'overdue',
    since: new Date(Date.parse(first.since) + OVERDUE_MS).toISOString(),
    detail: `Rows wait for more than a day for a person, for consent or for the end of a stop: ${named}.`,
    next: 'List them with ?outcome=blocked: each says what it waits for. The other rows go on.',
  };
}
