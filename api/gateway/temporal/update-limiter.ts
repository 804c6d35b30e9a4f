// Limits the concurrent updates of one workflow, because Temporal rejects updates beyond its own limit. Also merges identical calls.
import { setTimeout as delay } from 'node:timers/promises';
import {
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { ApiError } from '../../http/problems/errors.js';

/** Half of Temporal's limit of ten for each workflow (`history.maxInFlightUpdates`), so that two API processes fit. */
const AT_ONCE = 5;
/** How long a caller waits for a slot. */
const PATIENCE_MS = 5000;
const GAP_MS = 100;

/** Runs the work once a slot is free for the workflow. @throws ApiError `too_many_requests` if that takes too long. */
export type UpdateLimiter = <T>(workflowId: string, work: () => Promise<T>) => Promise<T>;

interface ConcurrentUpdates {
  going: number;
  /** Callbacks that each admit one waiting caller, in order of arrival. */
  waiting: Set<() => void>;
}

/** @param patienceMs how long a caller waits for a slot, in milliseconds. */
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

/** Hands the slot to the caller that has waited longest. */
function leave(updates: ConcurrentUpdates): void {
  const [next] = updates.waiting;
  if (next === undefined) {
    updates.going -= 1;
    return;
  }
  updates.waiting.delete(next);
  next();
}

/** Retries in time if other API processes use up Temporal's limit. */
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
    'Too many requests for this resource are in flight. This request changed nothing. Repeat it later.',
    { cause },
  );

const IN_FLIGHT = /in-flight updates/;

/** Whether Temporal rejected the update because too many are in flight for this workflow. */
export function isOverUpdateLimit(error: unknown): boolean {
  for (let met = error; met instanceof Error; met = met.cause)
    if (isGrpcServiceError(met)) return IN_FLIGHT.test(met.details);
  return false;
}

const RETRIES = defaultGrpcRetryOptions({ initialIntervalMs: () => GAP_MS });

/** gRPC's RESOURCE_EXHAUSTED: Temporal has more requests than it allows. */
const EXHAUSTED = 8;

/**
 * The gRPC retries of Temporal's client, except for limits: an update over the limit of its workflow waits for a slot, and another request
 * over a limit is retried for half a second only. Then the caller may repeat it.
 */
export const RETRIES_WITHIN_LIMITS: Pick<ConnectionOptions, 'interceptors'> = {
  interceptors: [
    makeGrpcRetryInterceptor({
      ...RETRIES,
      retryableDecider: (attempt, status) =>
        !IN_FLIGHT.test(status.details) &&
        !(Number(status.code) === EXHAUSTED && attempt > 2) &&
        RETRIES.retryableDecider(attempt, status),
    }),
  ],
};

/** Merges concurrent calls with the same key into one. All callers get its result or its error. */
export function createSharedCalls<T>(): (key: string, begin: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, begin) => {
    const found = running.get(key) ?? begin().finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
}
