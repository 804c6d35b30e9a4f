// The updates of one workflow take turns: Temporal lets few be under way at once, and turns the others away. Those that are the
// same are sent once.
import { setTimeout as delay } from 'node:timers/promises';
import { defaultGrpcRetryOptions, isGrpcServiceError, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import { ApiError } from '../../http/problems/errors.js';

/** Of the ten that Temporal lets be under way in a workflow (`history.maxInFlightUpdates`): two processes of ours fit. */
const AT_ONCE = 5;
/** How long a caller waits for its turn. */
const PATIENCE_MS = 5000;
const GAP_MS = 100;

/** Does the work once it is its turn at this workflow. @throws ApiError `too_many_requests` where that takes too long. */
export type UpdateLimiter = <T>(workflowId: string, work: () => Promise<T>) => Promise<T>;

interface ConcurrentUpdates {
  going: number;
  /** Each lets one that waits go on, first come first served. */
  waiting: Set<() => void>;
}

/** @param patienceMs milliseconds that a caller waits for a slot. */
export function createUpdateLimiter(patienceMs = PATIENCE_MS): UpdateLimiter {
  const byWorkflow = new Map<string, ConcurrentUpdates>();
  return async (workflowId, work) => {
    const updates = byWorkflow.get(workflowId) ?? { going: 0, waiting: new Set() };
    byWorkflow.set(workflowId, updates);
    const untilMs = Date.now() + patienceMs;
    await enter(updates, patienceMs);
    try {
      return await retryUntilAccepted(work, untilMs);
    } finally {
      leave(updates);
      if (updates.going === 0) byWorkflow.delete(workflowId);
    }
  };
}

function enter(updates: ConcurrentUpdates, patienceMs: number): Promise<void> {
  if (updates.going < AT_ONCE) {
    updates.going += 1;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const admit = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      updates.waiting.delete(admit);
      reject(tooMany());
    }, patienceMs);
    updates.waiting.add(admit);
  });
}

/** Hands its place to the one that has waited longest. */
function leave(updates: ConcurrentUpdates): void {
  const [next] = updates.waiting;
  if (next === undefined) {
    updates.going -= 1;
    return;
  }
  updates.waiting.delete(next);
  next();
}

/** Where other processes of ours have taken the places, it is tried again, while there is time. */
async function retryUntilAccepted<T>(work: () => Promise<T>, untilMs: number): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOverUpdateLimit(error)) throw error;
      if (Date.now() > untilMs) throw tooMany(error);
    }
    await delay(GAP_MS * (0.5 + Math.random()));
  }
}

const tooMany = (cause?: unknown): ApiError =>
  new ApiError(
    'too_many_requests',
    'Too many requests for this resource are under way. Nothing was changed by this one; repeat it later.',
    { cause },
  );

const IN_FLIGHT = /in-flight updates/;

/** Temporal has as many updates of this workflow under way as it lets be. */
export function isOverUpdateLimit(error: unknown): boolean {
  for (let met = error; met instanceof Error; met = met.cause)
    if (isGrpcServiceError(met)) return IN_FLIGHT.test(met.details);
  return false;
}

const RETRIES = defaultGrpcRetryOptions();

/** How the API's client repeats calls by itself: as it is made to, but for what is turned away, which has to take its turn. */
export const RETRIES_EXCEPT_UPDATE_LIMIT: Pick<ConnectionOptions, 'interceptors'> = {
  interceptors: [
    makeGrpcRetryInterceptor({
      ...RETRIES,
      retryableDecider: (attempt, status) =>
        !IN_FLIGHT.test(status.details) && RETRIES.retryableDecider(attempt, status),
    }),
  ],
};

/** What is asked again while it is under way is asked once: all have its answer, or its failure. */
export function createSharedCalls<T>(): (key: string, begin: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, begin) => {
    const found = running.get(key) ?? begin().finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
}
