// How fast something is done in the background: so many at once after a rest, and then one after the other.
import { setImmediate } from 'node:timers/promises';
import { Context } from '@temporalio/activity';

export interface Pace {
  /** 0 for as fast as it goes. */
  intervalMs: number;
  /** How many may go at one instant after a rest. */
  burst: number;
}

/** Resolves when the next may go: first come first served, and never before the event loop has had its turn. */
export type Acquire = () => Promise<void>;

/** Only within an activity: one that is cancelled waits no longer, and its turn is lost. */
export function createPace(
  { intervalMs, burst }: Pace,
  now: () => number = () => performance.now(),
): Acquire {
  /** When all that have been let go so far would have gone one by one. */
  let spentUntilMs = -Infinity;
  return async () => {
    spentUntilMs = Math.max(spentUntilMs, now()) + intervalMs;
    const waitMs = spentUntilMs - burst * intervalMs - now();
    await (waitMs > 0 ? Context.current().sleep(waitMs) : setImmediate());
  };
}
