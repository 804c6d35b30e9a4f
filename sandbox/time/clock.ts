// The sandbox's own time: the wall clock plus an offset, or frozen while time is being advanced.
import type { Store } from '../store/document.js';

export interface Clock {
  now(): number;
  iso(): string;
  /** Runs `act` at that time, then goes back to where it was. */
  at<T>(timeMs: number, act: () => T): T;
  /** Stands still at that time until `release`. */
  freeze(timeMs: number): void;
  /** Runs on from that time. */
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
