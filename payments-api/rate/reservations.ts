// The reserved slots of refused calls: the instant at which each may return. A slot is skipped after a while if its holder does
// not return, because it was cancelled or returned to another process. Pure, except for the list itself.

/** A slot becomes free if unused for this time. A later holder still goes before holders of later slots. */
const STORED_MS = 2000;
/** A holder that does not return within this time is dropped. */
const DROPPED_MS = 60_000;

/** @param gapMs the time between two slots. */
export function createReservations(gapMs: number) {
  const byHolder = new Map<string, number>();
  /** The same instants, in order. */
  const instants: number[] = [];

  const remove = (atMs: number): void => void instants.splice(countBefore(instants, atMs), 1);
  return {
    /** Removes and returns the slot of this holder; undefined if it has none. */
    take: (holder = ''): number | undefined => {
      const atMs = byHolder.get(holder);
      if (atMs === undefined) return undefined;
      byHolder.delete(holder);
      remove(atMs);
      return atMs;
    },
    /**
     * Reserves a slot: the one that the holder had before, or else one after all others, but never before `earliestMs`. A call
     * without a holder also gets an instant, but we do not store it: the call returns as a new one.
     * @returns the instant of the slot.
     */
    reserve: (
      holder: string | undefined,
      earliestMs: number,
      hadMs = (instants.at(-1) ?? -Infinity) + gapMs,
    ): number => {
      const atMs = Math.max(earliestMs, hadMs);
      if (holder === undefined) return atMs;
      byHolder.set(holder, atMs);
      instants.splice(countBefore(instants, atMs), 0, atMs);
      return atMs;
    },
    /** The number of slots before the first instant that are not skipped yet. */
    before: (atMs: number, nowMs: number): number =>
      Math.max(0, countBefore(instants, atMs) - countBefore(instants, nowMs - STORED_MS)),
    /** Delays every slot by this time. */
    shift: (byMs: number): void => {
      for (const [holder, atMs] of byHolder) byHolder.set(holder, atMs + byMs);
      for (const [index, atMs] of instants.entries()) instants[index] = atMs + byMs;
    },
    /** True if no holder may still return. Drops expired holders. */
    isEmpty: (nowMs: number): boolean => {
      for (const [holder, atMs] of byHolder) {
        if (atMs + DROPPED_MS > nowMs) continue;
        byHolder.delete(holder);
        remove(atMs);
      }
      return byHolder.size === 0;
    },
  };
}

/** The number of instants before this one, in a sorted list. */
function countBefore(inOrder: readonly number[], atMs: number): number {
  let low = 0;
  for (let high = inOrder.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((inOrder[middle] ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
