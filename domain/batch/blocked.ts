// Rows of a batch that were started and wait for a person, for consent or for the end of a stop. Pure.
import { lower } from '../attention/flags.js';
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

/** The very same list where the flag would say the same. */
export function replaceOverdue(
  attention: Attention[],
  chunks: readonly BlockedRows[],
  now: Instant,
): Attention[] {
  const flag = overdueFlag(chunks, now);
  const before = attention.find(({ code }) => code === 'overdue');
  if (flag?.detail === before?.detail) return attention;
  return [...lower(attention, 'overdue'), ...(flag === undefined ? [] : [flag])];
}

/** @param first the index of the first row of a chunk that was ended by force. */
export const lostRowsFlag = (first: number, since: Instant): Attention => ({
  code: 'unknown_outcome',
  since,
  detail: `The chunk of the rows from ${first} on was ended by force; what became of them was not found out.`,
  next: 'See by its uid what there is of each of these rows. A new batch of the same rows starts none a second time.',
});
