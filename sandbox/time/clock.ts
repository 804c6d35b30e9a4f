// The sandbox's clock: the wall clock plus an offset. It is frozen while time is advanced.
import type { Store } from '../store/document.js';

export type Clock = ReturnType<typeof createClock>;

export function createClock(store: Store) {
  let frozenAt: number | undefined;
  const now = (): number => frozenAt ?? Date.now() + store.offsetMs;
  return {
    now,
    iso: (): string => new Date(now()).toISOString(),
    /** Runs `act` at this time, then restores the clock. */
    at<T>(timeMs: number, act: () => T): T {
      const before = frozenAt;
      frozenAt = timeMs;
      try {
        return act();
      } finally {
        frozenAt = before;
      }
    },
    /** Stops the clock at this time until `release`. */
    freeze(timeMs: number): void {
      frozenAt = timeMs;
    },
    /** Continues from this time. */
    release(timeMs: number): void {
      frozenAt = undefined;
      store.offsetMs = timeMs - Date.now();
    },
  };
}
