// One connection's calls in a queue: each goes when the rate allows it, first come first served. What cannot go soon is sent away, and has
// a turn reserved for when it comes back: so it comes back once, and occupies no slot of a worker meanwhile.
import { fullBucket, isRested, pausedUntil, refilled, spent, waitMs } from './bucket.js';
import { createReservations } from './reservations.js';
import { createWaitingRoom, throttled } from './waiting.js';
import type { Bucket, Rate } from './bucket.js';
import type { Admission } from './waiting.js';

/** The longest wait in a slot. */
const PATIENCE_MS = 1000;
/** What has begun is brought to its end, or all that it has asked for would be asked for again: the longest history has so many pages. */
const CALLS_OF_ONE_WORK = 60;
const PATIENCE_WITHIN_WORK_MS = 10_000;
/** By how much those that are sent away come back later than at their turn, by chance: so that they do not all come at one instant. */
const JITTER_MS = 500;

/** The passing of time, in milliseconds that never go back. */
export interface Clock {
  now(): number;
  /** Does the work once, later; the function that comes back undoes that. */
  after(delayMs: number, work: () => void): () => void;
}

export interface Queue {
  /** @throws PaymentsApiError as Budget.acquire says. */
  acquire(requested: Admission): Promise<void>;
  /** @param forMs more than 0. */
  pause(forMs: number): void;
  /** Whether no caller waits or may come back, and all is as at the start, so that a new queue would do as well. */
  isIdle(): boolean;
}

/** What is under way goes before all others, new calls after them. */
const AT_ONCE = { dueMs: -Infinity, patienceMs: PATIENCE_WITHIN_WORK_MS };
const waitsFor = (dueMs = Infinity) => ({ dueMs, patienceMs: PATIENCE_MS });

/** @param chance from 0 to 1. */
export function createQueue(rate: Rate, clock: Clock, chance: () => number = Math.random): Queue {
  const room = createWaitingRoom();
  const reserved = createReservations(1000 / rate.perSecond);
  const works = createWorks();
  let bucket: Bucket = fullBucket(rate, clock.now());
  let stopTimer = (): void => undefined;

  /** Admits as many as may go now, and comes back when the next one may. */
  const serve = (): void => {
    const nowMs = clock.now();
    stopTimer();
    bucket = refilled(rate, bucket, nowMs);
    while (room.size > 0) {
      const rest = spent(bucket, nowMs);
      if (rest === undefined)
        return void (stopTimer = clock.after(Math.ceil(waitMs(rate, bucket, 1, nowMs)), serve));
      bucket = rest;
      works.count(room.admitFirst()?.requested.work);
    }
  };

  const sendAway = (holder: string | undefined, earliestMs: number, hadMs: number | undefined): number =>
    Math.ceil(reserved.reserve(holder, earliestMs, hadMs) - clock.now() + chance() * JITTER_MS);

  return {
    acquire: (requested) => {
      const sinceMs = clock.now();
      bucket = refilled(rate, bucket, sinceMs);
      const hadMs = reserved.take(requested.holder);
      const { dueMs, patienceMs } = works.isUnderWay(requested.work) ? AT_ONCE : waitsFor(hadMs);
      // Where the budget rests those who have a turn do not come, and are not waited for.
      const ahead = bucket.tokens >= rate.burst ? 0 : room.before(dueMs) + reserved.before(dueMs, sinceMs);
      const delayMs = waitMs(rate, bucket, ahead + 1, sinceMs);
      if (delayMs > patienceMs)
        return Promise.reject(throttled(requested, sendAway(requested.holder, sinceMs + delayMs, hadMs)));
      const admitted = room.enter({ requested, sinceMs, patienceMs, dueMs }, serve);
      serve();
      return admitted;
    },
    pause: (forMs) => {
      const nowMs = clock.now();
      const wasUntilMs = Math.max(nowMs, bucket.asOfMs);
      bucket = pausedUntil(bucket, nowMs + forMs);
      reserved.shift(bucket.asOfMs - wasUntilMs);
      room.refuse(({ requested, sinceMs, patienceMs }, place) => {
        const delayMs = waitMs(rate, bucket, place, nowMs);
        return nowMs - sinceMs + delayMs <= patienceMs
          ? undefined
          : sendAway(requested.holder, nowMs + delayMs, nowMs + delayMs);
      });
      serve();
    },
    isIdle: () => room.size === 0 && reserved.isEmpty(clock.now()) && isRested(rate, bucket, clock.now()),
  };
}

/** How many calls of each work went, while anyone else remembers the work. */
function createWorks() {
  const calls = new WeakMap<object, number>();
  const of = (work: object | undefined): number => (work === undefined ? 0 : (calls.get(work) ?? 0));
  return {
    count: (work: object | undefined): void => {
      if (work !== undefined) calls.set(work, of(work) + 1);
    },
    isUnderWay: (work: object | undefined): boolean => of(work) > 0 && of(work) < CALLS_OF_ONE_WORK,
  };
}
