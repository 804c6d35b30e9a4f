// The sandbox's clock: the wall clock plus an offset. It is frozen while time is advanced.
import type { Store } from '../store/document.js';

export interface Clock {
  now(): number;
  iso(): string;
  /** Runs `act` at this time, then restores the clock. */
  at<T>(timeMs: number, act: () => T): T;
  /** Stops the clock at this time until `release`. */
  freeze(timeMs: number): void;
  /** Continues from this time. */
  release(timeMs: number): void;
}

export function createClock(store: Store): Clock {
  let frozenAt: number | undefined;
  const now = (): number => frozenAt ?? Date.now() + store.offsetMs;
  return {
    now,
    iso: () => new Date(now()).toISOString(),
    at(timeMs, act) {
      const before = frozenAt;
      frozenAt = timeMs;
      try {
        return act();
      } finally {
        frozenAt = before;
      }
    },
    freeze(timeMs) {
      frozenAt = timeMs;
    },
    release(timeMs) {
      frozenAt = undefined;
      store.offsetMs = timeMs - Date.now();
    },
  };
}
