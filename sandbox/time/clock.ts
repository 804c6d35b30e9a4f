// The sandbox's own time: the wall clock plus an offset, or held still while time is being advanced.
import type { Store } from '../store.js';

export interface Clock {
  now(): number;
  iso(): string;
  /** Runs `act` at that time, then goes back to where it was. */
  at<T>(timeMs: number, act: () => T): T;
  /** Stands still at that time until `release`. */
  hold(timeMs: number): void;
  /** Runs on from that time. */
  release(timeMs: number): void;
}

export function createClock(store: Store): Clock {
  let heldAt: number | undefined;
  const now = (): number => heldAt ?? Date.now() + store.offsetMs;
  return {
    now,
    iso: () => new Date(now()).toISOString(),
    at(timeMs, act) {
      const before = heldAt;
      heldAt = timeMs;
      try {
        return act();
      } finally {
        heldAt = before;
      }
    },
    hold(timeMs) {
      heldAt = timeMs;
    },
    release(timeMs) {
      heldAt = undefined;
      store.offsetMs = timeMs - Date.now();
    },
  };
}
