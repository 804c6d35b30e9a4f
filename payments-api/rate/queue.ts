// The queue of one connection's calls, admitted in order of arrival as the rate allows. A call that would wait too long is refused
// with a reserved slot. It returns once, at that time, and does not occupy a worker slot until then.
import {
  fullBucket,
  isRested,
  pausedUntil,
  refilled,
  spent,
  waitMs,
  type Bucket,
  type Rate,
} from './bucket.js';
import { createReservations } from './reservations.js';
import { createWaitingRoom, throttled, type Admission } from './waiting.js';

/** The longest wait in a worker slot. */
const PATIENCE_MS = 1000;
/** Work in progress must finish, or it would repeat all its calls. This exceeds the pages of the longest history (50). */
const CALLS_OF_ONE_WORK = 60;
const PATIENCE_WITHIN_WORK_MS = 10_000;
/** A random delay after the reserved slot, so that refused calls do not all return at one instant. */
const JITTER_MS = 500;

/** A monotonic clock, in milliseconds. */
export interface Clock {
  now(): number;
  /** Runs the work once, later. The returned function cancels it. */
  after(delayMs: number, work: () => void): () => void;
}

export interface Queue {
  /** @throws PaymentsApiError as Budget.acquire. */
  acquire(requested: Admission): Promise<void>;
  /** @param forMs more than 0. */
  pause(forMs: number): void;
  /** True if no caller is waiting or may return and all state is initial, so that a new queue would be equivalent. */
  isIdle(): boolean;
}

/** Work in progress goes first; new calls go last. */
const AT_ONCE = { dueMs: -Infinity, patienceMs: PATIENCE_WITHIN_WORK_MS };
const waitsFor = (dueMs = Infinity) => ({ dueMs, patienceMs: PATIENCE_MS });

/** @param chance from 0 to 1. */
export function createQueue(rate: Rate, clock: Clock, chance: () => number = Math.random): Queue {
  const room = createWaitingRoom();
  const reserved = createReservations(1000 / rate.perSecond);
  const works = createWorks();
  let bucket: Bucket = fullBucket(rate, clock.now());
  let stopTimer = (): void => undefined;

  /** Admits all calls that may go now, and runs again when the next one may. */
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
      // With a full bucket the holders of reserved slots did not return, so we do not wait for them.
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

/** Counts the calls of each work, for as long as another object references the work. */
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
