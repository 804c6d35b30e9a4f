// Started rows that wait for a person, for consent, or for the end of a stop. Pure.
import { lower, type Attention } from '../attention/flags.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { Instant } from '../facts/fact.js';

/** Only a person can end these waits. */
const BLOCKING: readonly AwaitingWhat[] = ['operator', 'reauthorisation', 'consent', 'stop'];

/** What blocks a row; undefined if it waits for the provider. @param awaiting of its agreement or payment. */
export const blockedBy = (awaiting: string | undefined): AwaitingWhat | undefined =>
  BLOCKING.find((what) => what === awaiting);

/** The blocked rows of a chunk: their count, and the oldest of them. */
export interface BlockedRows {
  count: number;
  oldest: { uid: string; since: Instant }[];
}

/** The most rows that are named, per chunk and per batch. */
const MOST_NAMED = 20;
/** Rows that are blocked for longer raise a flag. */
const OVERDUE_MS = 24 * 60 * 60 * 1000;

export const blockedRows = (rows: BlockedRows['oldest']): BlockedRows => ({
  count: rows.length,
  oldest: [...rows].sort((one, other) => one.since.localeCompare(other.since)).slice(0, MOST_NAMED),
});

/** When the first of these rows becomes overdue, in epoch milliseconds. */
export const overdueAtMs = (chunks: readonly BlockedRows[]): number =>
  Math.min(...chunks.flatMap(({ oldest }) => oldest.map(({ since }) => Date.parse(since) + OVERDUE_MS)));

/** A flag that names the rows blocked for more than a day; undefined if there are none. */
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
    detail: `Rows have waited for more than a day for a person, for consent, or for the end of a stop: ${named}.`,
    next: 'List them with ?outcome=blocked, which shows what each row waits for. The other rows continue.',
  };
}

/** Returns the same list if the flag has not changed. */
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

/** @param first index of the first row in the terminated chunk. */
export const lostRowsFlag = (first: number, since: Instant): Attention => ({
  code: 'unknown_outcome',
  since,
  detail: `The chunk that starts at row ${first} was terminated. The outcome of its rows is unknown.`,
  next: 'Look up each of these rows by its uid. A new batch with the same rows creates no duplicates.',
});
