// Those who wait for their turn in a slot of the worker, in order.
import { PaymentsApiError } from '../errors.js';

/** A call that asks to be let through. */
export interface Admission {
  /** Our name of the operation, for messages. */
  operation: string;
  signal?: AbortSignal | undefined;
  /** For whom a turn is reserved: the same text when it comes back. Without one, it comes back as a new one. */
  holder?: string | undefined;
  /** The work that the call is a part of: once one call of it went, the next go before all others. */
  work?: object | undefined;
}

export interface Waiting {
  requested: Admission;
  sinceMs: number;
  /** How long it waits at most. */
  patienceMs: number;
  /** Its place: the lower goes first; of two that are alike, the one that came first. */
  dueMs: number;
}

interface Entry extends Waiting {
  admit: () => void;
  refuse: (delayMs: number) => void;
}

export interface WaitingRoom {
  readonly size: number;
  /** How many go before one with this turn that comes now. */
  before(dueMs: number): number;
  /** Resolves once it is admitted. One that aborts is out at once, and the others move up. */
  enter(one: Waiting, onLeft: () => void): Promise<void>;
  /** Lets the first go, and says who that was. */
  admitFirst(): Waiting | undefined;
  /** Refuses each of whom this says for how long, given its place from 1 on; those behind it move up. */
  refuse(delayMs: (one: Waiting, place: number) => number | undefined): void;
}

export function createWaitingRoom(): WaitingRoom {
  const entries: Entry[] = [];
  const remove = (one: Entry): void => void entries.splice(entries.indexOf(one), 1);
  return {
    get size() {
      return entries.length;
    },
    before: (dueMs) => entries.filter((one) => one.dueMs <= dueMs).length,
    enter: (one, onLeft) =>
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
    admitFirst: () => {
      const first = entries.shift();
      first?.admit();
      return first;
    },
    refuse: (delayMs) => {
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

/** @param delayMs milliseconds until there is room. */
export function throttled({ operation }: Admission, delayMs: number): PaymentsApiError {
  return new PaymentsApiError(
    'rate_limited',
    `${operation}: expected to be let through soon by our own rate limit; met a wait of ${Math.ceil(delayMs / 1000)} s; nothing was sent`,
    { retryAfterMs: delayMs },
  );
}

export function aborted({ operation, signal }: Admission): PaymentsApiError {
  return new PaymentsApiError(
    'unavailable',
    `${operation}: expected to be let through by our own rate limit; met the caller aborting; nothing was sent`,
    { cause: signal?.reason },
  );
}
