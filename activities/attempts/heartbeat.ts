// Heartbeats tell Temporal within seconds that a worker has died, long before the call's own timeout.
import { activityInfo, heartbeat } from '@temporalio/activity';

/** The SDK throttles heartbeats. The heartbeat timeout is set in workflows/on-temporal/call-options.ts. */
export const HEARTBEAT_MS = 1000;

/**
 * Heartbeats until the work ends. Work that ends within the first second sends none. Call it only in an activity.
 * @param progress what the next attempt needs to continue from here.
 */
export async function withHeartbeats<T>(work: () => Promise<T>, progress?: () => unknown): Promise<T> {
  const timer = setInterval(() => heartbeat(progress?.()), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** What the previous attempt left for this one. Undefined without the key that marks it: there was none, or it was of another release. */
export function detailsWith<Details extends object>(key: keyof Details): Details | undefined {
  const details: unknown = activityInfo().heartbeatDetails;
  return typeof details === 'object' && details !== null && key in details ? (details as Details) : undefined;
}
