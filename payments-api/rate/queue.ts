// One connection's calls in a line: each goes when the rate allows it, first come first served.
// In:  payments-api/rate/budget.ts has one for each connection.
import { fullBucket, isRested, pausedUntil, refilled, spent, waitMs } from './bucket.js';
import { PaymentsApiError } from '../errors.js';
import type { Bucket, Rate } from './bucket.js';

/** Nobody stands in line for longer: whoever would comes back later, and holds no slot of a worker meanwhile. */
const LONGEST_WAIT_MS = 10_000;

/** The passing of time, in milliseconds that never go back. */
export interface LineClock {
  now(): number;
  /** Does the work once, later; the function that comes back undoes that. */
  after(delayMs: number, work: () => void): () => void;
}

/** A call that somebody wants to make. */
export interface Turn {
  /** Our name of the operation, for messages. */
  operation: string;
  signal?: AbortSignal | undefined;
}

export interface Line {
  /** @throws PaymentsApiError as Budget.turn says. */
  turn(asked: Turn): Promise<void>;
  /** @param forMs more than 0. */
  pause(forMs: number): void;
  /** Whether nobody waits and all is as at the start, so that a new line would do as well. */
  isRested(): boolean;
}

interface Waiting {
  sinceMs: number;
  admit: () => void;
  refuse: (delayMs: number) => void;
}

export function createLine(rate: Rate, clock: LineClock): Line {
  const waiting = new Set<Waiting>();
  let bucket: Bucket = fullBucket(rate, clock.now());
  /** Runs only while somebody waits. */
  let stopTimer = (): void => undefined;

  /** Lets go whoever may, and comes back when the next one may. */
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
    turn: (asked) => {
      if (asked.signal?.aborted) return Promise.reject(givenUp(asked));
      const sinceMs = clock.now();
      bucket = refilled(rate, bucket, sinceMs);
      const delayMs = waitMs(rate, bucket, waiting.size + 1, sinceMs);
      if (delayMs > LONGEST_WAIT_MS) return Promise.reject(heldBack(asked, delayMs));
      const admitted = standIn(waiting, asked, sinceMs, serve);
      serve();
      return admitted;
    },
    pause: (forMs) => {
      const nowMs = clock.now();
      bucket = pausedUntil(bucket, nowMs + forMs);
      refuseTheLate(waiting, nowMs, (place) => waitMs(rate, bucket, place, nowMs));
      serve();
    },
    isRested: () => waiting.size === 0 && isRested(rate, bucket, clock.now()),
  };
}

/** Puts a caller at the end; one who gives up is out at once, and the others move up. */
function standIn(waiting: Set<Waiting>, asked: Turn, sinceMs: number, onLeft: () => void): Promise<void> {
  const { signal } = asked;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      waiting.delete(mine);
      reject(givenUp(asked));
      onLeft();
    };
    const mine: Waiting = {
      sinceMs,
      admit: () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      },
      refuse: (delayMs) => {
        signal?.removeEventListener('abort', giveUp);
        reject(heldBack(asked, delayMs));
      },
    };
    waiting.add(mine);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

/** After a pause: whoever would now have waited too long in all need not wait to be told so. */
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

function heldBack({ operation }: Turn, delayMs: number): PaymentsApiError {
  const met = `a wait of ${Math.ceil(delayMs / 1000)} s`;
  return new PaymentsApiError(
    'rate_limited',
    `${operation}: expected a turn within ${LONGEST_WAIT_MS / 1000} s; met ${met}; nothing was sent`,
    { retryAfterMs: Math.ceil(delayMs) },
  );
}

function givenUp({ operation, signal }: Turn): PaymentsApiError {
  return new PaymentsApiError(
    'unavailable',
    `${operation}: expected a turn; met the caller giving up; nothing was sent`,
    { cause: signal?.reason },
  );
}
