// The turns of those that were sent away: each has an instant at which it may come back and is let through. One that does not come
// back, as it was cancelled or came back to another process, is passed over after a while. Pure, but for what it keeps.

/** A turn that was not taken for so long is free. A holder that comes later than that still goes before those with later turns. */
const STORED_MS = 2000;
/** A holder that did not come back for so long is forgotten. */
const DROPPED_MS = 60_000;

export interface Reservations {
  /** The turn of this holder, taken from the list as it has come back; nothing where it has none. */
  take(holder: string | undefined): number | undefined;
  /**
   * Reserves a turn, after all others unless it had one before. One without a name is given it too, and comes back as a new one.
   * @returns when it is.
   */
  reserve(holder: string | undefined, earliestMs: number, hadMs: number | undefined): number;
  /** How many have a turn, not passed over yet, that is before the first instant. */
  before(atMs: number, nowMs: number): number;
  /** Every turn is later by so much. */
  shift(byMs: number): void;
  /** Whether anybody may still come back. Forgets who will not. */
  isEmpty(nowMs: number): boolean;
}

/** @param gapMs from one turn to the next. */
export function createReservations(gapMs: number): Reservations {
  const byHolder = new Map<string, number>();
  /** The same instants, in order. */
  const instants: number[] = [];

  const remove = (atMs: number): void => void instants.splice(countBefore(instants, atMs), 1);
  return {
    take: (holder = '') => {
      const atMs = byHolder.get(holder);
      if (atMs === undefined) return undefined;
      byHolder.delete(holder);
      remove(atMs);
      return atMs;
    },
    reserve: (holder, earliestMs, hadMs = (instants.at(-1) ?? -Infinity) + gapMs) => {
      const atMs = Math.max(earliestMs, hadMs);
      if (holder === undefined) return atMs;
      byHolder.set(holder, atMs);
      instants.splice(countBefore(instants, atMs), 0, atMs);
      return atMs;
    },
    before: (atMs, nowMs) =>
      Math.max(0, countBefore(instants, atMs) - countBefore(instants, nowMs - STORED_MS)),
    shift: (byMs) => {
      for (const [holder, atMs] of byHolder) byHolder.set(holder, atMs + byMs);
      for (const [index, atMs] of instants.entries()) instants[index] = atMs + byMs;
    },
    isEmpty: (nowMs) => {
      for (const [holder, atMs] of byHolder) {
        if (atMs + DROPPED_MS > nowMs) continue;
        byHolder.delete(holder);
        remove(atMs);
      }
      return byHolder.size === 0;
    },
  };
}

/** How many of these, which are in order, are before that instant. */
function countBefore(inOrder: readonly number[], atMs: number): number {
  let low = 0;
  for (let high = inOrder.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((inOrder[middle] ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
