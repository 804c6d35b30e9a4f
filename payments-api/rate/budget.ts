// Our own rate limit: one budget for each connection in this process. A busy merchant delays no other, and the provider
// (whose limits are unknown, docs/provider.md#limits) seldom has to answer 429.
import { createQueue, type Clock, type Queue } from './queue.js';
import { shareOf, type Rate, type Share } from './bucket.js';
import { aborted, type Admission } from './waiting.js';

const SWEEP_EVERY_MS = 60_000;

export type Budget = ReturnType<typeof createBudget>;

const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** @param rate for each connection. The provider sees this rate times the number of processes. */
export function createBudget({
  clock = REAL_CLOCK,
  chance = Math.random,
  ...rate
}: Rate & { clock?: Clock; chance?: () => number }) {
  const queues = new Map<string, Queue>();
  const shares = new Map<string, Queue>();
  let sweepAtMs = clock.now() + SWEEP_EVERY_MS;

  const queueOf = (connectionId: string): Queue => {
    if (clock.now() >= sweepAtMs) {
      for (const all of [queues, shares])
        for (const [idle, queue] of all) if (queue.isIdle()) all.delete(idle);
      sweepAtMs = clock.now() + SWEEP_EVERY_MS;
    }
    const queue = queues.get(connectionId) ?? createQueue(rate, clock, chance);
    queues.set(connectionId, queue);
    return queue;
  };
  const shareQueueOf = (connectionId: string, share: Share): Queue => {
    const name = `${share} ${connectionId}`;
    const queue = shares.get(name) ?? createQueue(shareOf(rate, share), clock, chance);
    shares.set(name, queue);
    return queue;
  };
  return {
    /**
     * Resolves when the call may go, in order of arrival.
     * @throws PaymentsApiError `rate_limited` immediately if the wait would exceed 1 s, or 10 s for work in progress. We then
     *   reserve a slot for the holder, and `retryAfterMs` is the time until that slot. Slots are spaced at the rate, so the
     *   holder needs to return only once. `unavailable` if the caller aborts while it waits. In both cases nothing was sent.
     */
    acquire: async (connectionId: string, requested: Admission): Promise<void> => {
      if (requested.signal?.aborted === true) throw aborted(requested);
      const { share } = requested;
      if (share !== undefined) await shareQueueOf(connectionId, share).acquire(requested);
      await queueOf(connectionId).acquire(requested);
    },
    /** Blocks all calls for this time (0: no pause). Queued callers that would now wait too long are refused immediately. */
    pause: (connectionId: string, forMs: number): void => {
      if (forMs > 0) queueOf(connectionId).pause(forMs);
    },
    /** The number of connections with state here, because of recent calls or a pause. */
    size: (): number => queues.size,
  };
}
