// One connection's calls in a queue: each goes when the rate allows it, first come first served.
// In:  payments-api/rate/budget.ts has one for each connection.
import { PaymentsApiError } from '../errors.js';
import { fullBucket, isRested, pausedUntil, refilled, spent, waitMs } from './bucket.js';
import type { Bucket, Rate } from './bucket.js';

/** A caller that would wait for longer is refused: it comes back later, and occupies no slot of a worker meanwhile. */
const LONGEST_WAIT_MS = 10_000;

/** The passing of time, in milliseconds that never go back. */
export interface Clock {
  now(): number;
  /** Does the work once, later; the function that comes back undoes that. */
  after(delayMs: number, work: () => void): () => void;
}

/** A call that asks to be let through. */
export interface Admission {
  /** Our name of the operation, for messages. */
  operation: string;
  signal?: AbortSignal | undefined;
}

export interface Queue {
  /** @throws PaymentsApiError as Budget.acquire says. */
  acquire(asked: Admission): Promise<void>;
  /** @param forMs more than 0. */
  pause(forMs: number): void;
  /** Whether no caller waits and all is as at the start, so that a new queue would do as well. */
  isIdle(): boolean;
}

interface Waiting {
  sinceMs: number;
  admit: () => void;
  refuse: (delayMs: number) => void;
}

export function createQueue(rate: Rate, clock: Clock): Queue {
  const waiting = new Set<Waiting>();
  let bucket: Bucket = fullBucket(rate, clock.now());
  /** Runs only while a caller waits. */
  let stopTimer = (): void => undefined;

  /** Admits as many as may go now, and comes back when the next one may. */
  const serve = (): void => {
    const nowMs = clock.now();
    stopTimer();
    bucket = refilled(rate, bucket, nowMs);
    for (const first of waiting) {
      const rest = spent(bucket, nowMs);
      if (rest === undefined) {
        stopTimer = clock.after(Math.ceil(waitMs(rate, bucket, 1, nowMs)), serve);
        return;
      }
      bucket = rest;
      waiting.delete(first);
      first.admit();
    }
  };

  return {
    acquire: (asked) => {
      if (asked.signal?.aborted) return Promise.reject(aborted(asked));
      const sinceMs = clock.now();
      bucket = refilled(rate, bucket, sinceMs);
      const delayMs = waitMs(rate, bucket, waiting.size + 1, sinceMs);
      if (delayMs > LONGEST_WAIT_MS) return Promise.reject(throttled(asked, delayMs));
      const admitted = enqueue(waiting, asked, sinceMs, serve);
      serve();
      return admitted;
    },
    pause: (forMs) => {
      const nowMs = clock.now();
      bucket = pausedUntil(bucket, nowMs + forMs);
      refuseTheLate(waiting, nowMs, (place) => waitMs(rate, bucket, place, nowMs));
      serve();
    },
    isIdle: () => waiting.size === 0 && isRested(rate, bucket, clock.now()),
  };
}

/** Puts a caller at the end; one that aborts is out at once, and the others move up. */
function enqueue(
  waiting: Set<Waiting>,
  asked: Admission,
  sinceMs: number,
  onLeft: () => void,
): Promise<void> {
  const { signal } = asked;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(mine);
      reject(aborted(asked));
      onLeft();
    };
    const mine: Waiting = {
      sinceMs,
      admit: () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
      refuse: (delayMs) => {
        signal?.removeEventListener('abort', leave);
        reject(throttled(asked, delayMs));
      },
    };
    waiting.add(mine);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/** After a pause: a caller that would now have waited too long in all is refused without waiting. */
function refuseTheLate(waiting: Set<Waiting>, nowMs: number, delayAt: (place: number) => number): void {
  let place = 1;
  for (const one of waiting) {
    const delayMs = delayAt(place);
    if (nowMs - one.sinceMs + delayMs <= LONGEST_WAIT_MS) {
      place += 1;
      continue;
    }
    waiting.delete(one);
    one.refuse(delayMs);
  }
}

function throttled({ operation }: Admission, delayMs: number): PaymentsApiError {
  const expected = `to be let through within ${LONGEST_WAIT_MS / 1000} s by our own rate limit`;
  return new PaymentsApiError(
    'rate_limited',
    `${operation}: expected ${expected}; met a wait of ${Math.ceil(delayMs / 1000)} s; nothing was sent`,
    { retryAfterMs: Math.ceil(delayMs) },
  );
}

function aborted({ operation, signal }: Admission): PaymentsApiError {
  return new PaymentsApiError(
    'unavailable',
    `${operation}: expected to be let through by our own rate limit; met the caller aborting; nothing was sent`,
    { cause: signal?.reason },
  );
}
