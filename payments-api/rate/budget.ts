// How many calls we allow ourselves: one budget for each connection in this process, so that a busy merchant delays no
// other, and the provider (whose limits are unknown, docs/provider.md#limits) seldom has to answer 429.
import { createQueue } from './queue.js';
import type { Clock, Queue } from './queue.js';
import { aborted } from './waiting.js';
import type { Admission } from './waiting.js';
import type { Rate } from './bucket.js';

const SWEEP_EVERY_MS = 60_000;

export interface Budget {
  /**
   * Resolves when the call may go, first come first served.
   * @throws PaymentsApiError `rate_limited` at once where that would take more than 1 s, with `retryAfterMs`: a turn is reserved
   *   for the holder then, no two of them at one instant, so that it comes back once;
   *   `unavailable` when the caller aborts while it waits. Either way nothing was sent.
   */
  acquire(connectionId: string, requested: Admission): Promise<void>;
  /** No call goes for that long (0: no pause). Callers in the queue that would now wait too long are refused at once. */
  pause(connectionId: string, forMs: number): void;
  /** How many connections have state here: those that called lately, or were paused. */
  size(): number;
}

const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** @param rate of each connection: what the provider sees is this times the number of processes. */
export function createBudget({
  clock = REAL_CLOCK,
  chance = Math.random,
  ...rate
}: Rate & { clock?: Clock; chance?: () => number }): Budget {
  const queues = new Map<string, Queue>();
  let sweepAtMs = clock.now() + SWEEP_EVERY_MS;

  const queueOf = (connectionId: string): Queue => {
    if (clock.now() >= sweepAtMs) {
      for (const [idle, queue] of queues) if (queue.isIdle()) queues.delete(idle);
      sweepAtMs = clock.now() + SWEEP_EVERY_MS;
    }
    const queue = queues.get(connectionId) ?? createQueue(rate, clock, chance);
    queues.set(connectionId, queue);
    return queue;
  };
  return {
    acquire: (connectionId, requested) =>
      requested.signal?.aborted === true
        ? Promise.reject(aborted(requested))
        : queueOf(connectionId).acquire(requested),
    pause: (connectionId, forMs) => {
      if (forMs > 0) queueOf(connectionId).pause(forMs);
    },
    size: () => queues.size,
  };
}
