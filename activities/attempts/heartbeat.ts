// Heartbeats while something is under way: when the process dies, Temporal knows within seconds, and not only when the call's
// whole time is up.
import { heartbeat } from '@temporalio/activity';

/** The SDK passes the newest on once in a while; how long Temporal waits for the next is said in workflows/entity/engine/activity-options.ts. */
export const HEARTBEAT_MS = 1000;

/**
 * Heartbeats until the work has ended; none where it has ended sooner than the first is due. Only within an activity.
 * @param progress what a later attempt would need to go on from here.
 */
export async function withHeartbeats<T>(work: () => Promise<T>, progress?: () => unknown): Promise<T> {
  const timer = setInterval(() => heartbeat(progress?.()), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
