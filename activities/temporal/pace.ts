// Limits the rate of background work: a burst after an idle time, then one item per interval.
import { setImmediate } from 'node:timers/promises';
import { Context } from '@temporalio/activity';

export interface Pace {
  /** Milliseconds between two items; 0 for no limit. */
  intervalMs: number;
  /** How many items may run at once after an idle time. */
  burst: number;
}

/** Resolves when the next item may run, in the order of the calls. It always yields to the event loop. */
export type Acquire = () => Promise<void>;

/** Use it only in an activity. A cancelled activity stops waiting, but its slot is lost. */
export function createPace(
  { intervalMs, burst }: Pace,
  now: () => number = () => performance.now(),
): Acquire {
  /** The time when all permitted items would have run, one per interval. */
  let spentUntilMs = -Infinity;
  return async () => {
    spentUntilMs = Math.max(spentUntilMs, now()) + intervalMs;
    const waitMs = spentUntilMs - burst * intervalMs - now();
    await (waitMs > 0 ? Context.current().sleep(waitMs) : setImmediate());
  };
}
