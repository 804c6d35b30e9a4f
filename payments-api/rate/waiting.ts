// The calls that wait in a worker slot, in order.
import { PaymentsApiError } from '../errors.js';
import type { Share } from './bucket.js';

/** A call that requests admission. */
export interface Admission {
  /** Our name for the operation, for messages. */
  operation: string;
  signal?: AbortSignal | undefined;
  /** The owner of a reserved slot: the same text when it returns. Without it, the call returns as a new one. */
  holder?: string | undefined;
  /** The work that the call belongs to. After its first call, its other calls go first. */
  work?: object | undefined;
  /** The part of the rate that such calls may use at most (budget.ts). Absent: all of it. */
  share?: Share | undefined;
}

export interface Waiting {
  requested: Admission;
  sinceMs: number;
  patienceMs: number;
  /** The place in the queue: the lowest goes first; equal ones go in order of arrival. */
  dueMs: number;
}

interface Entry extends Waiting {
  admit: () => void;
  refuse: (delayMs: number) => void;
}

export function createWaitingRoom() {
  const entries: Entry[] = [];
  const remove = (one: Entry): void => void entries.splice(entries.indexOf(one), 1);
  return {
    get size(): number {
      return entries.length;
    },
    /** The number of calls that go before a new one with this place. */
    before: (dueMs: number): number => entries.filter((one) => one.dueMs <= dueMs).length,
    /** Resolves on admission. A call that aborts leaves at once, and the others move up. */
    enter: (one: Waiting, onLeft: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        const { requested } = one;
        const leave = (): void => {
          remove(mine);
          reject(aborted(requested));
          onLeft();
        };
        const unlisten = (): void => requested.signal?.removeEventListener('abort', leave);
        const admit = (): void => {
          unlisten();
          resolve();
        };
        const refuse = (delayMs: number): void => {
          unlisten();
          reject(throttled(requested, delayMs));
        };
        const mine: Entry = { ...one, admit, refuse };
        const later = entries.findIndex(({ dueMs }) => dueMs > one.dueMs);
        entries.splice(later === -1 ? entries.length : later, 0, mine);
        requested.signal?.addEventListener('abort', leave, { once: true });
      }),
    /** Admits the first call and returns it. */
    admitFirst: (): Waiting | undefined => {
      const first = entries.shift();
      first?.admit();
      return first;
    },
    /** Refuses each call for which `delayMs` returns a delay, given its place from 1 on. Calls behind it move up. */
    refuse: (delayMs: (one: Waiting, place: number) => number | undefined): void => {
      let place = 1;
      for (const one of [...entries]) {
        const refusedForMs = delayMs(one, place);
        if (refusedForMs === undefined) {
          place += 1;
          continue;
        }
        remove(one);
        one.refuse(refusedForMs);
      }
    },
  };
}

/** @param delayMs milliseconds until there is capacity. */
export function throttled({ operation }: Admission, delayMs: number): PaymentsApiError {
  return new PaymentsApiError(
    'rate_limited',
    `${operation}: expected a short wait for our own rate limit; it would be ${Math.ceil(delayMs / 1000)} s. Nothing was sent`,
    { retryAfterMs: delayMs },
  );
}

export function aborted({ operation, signal }: Admission): PaymentsApiError {
  return new PaymentsApiError(
    'unavailable',
    `${operation}: the caller aborted while waiting for our own rate limit. Nothing was sent`,
    { cause: signal?.reason },
  );
}
