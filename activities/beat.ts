// A sign of life while something is under way: when the process dies, Temporal knows within seconds, and not only when the
// call's whole time is up.
import { heartbeat } from '@temporalio/activity';

/** Temporal is told once in a while of the newest; how long it waits for the next is said in workflows/entity/calls.ts. */
const BEAT_MS = 1000;

/**
 * Beats from now until the work has ended. Only within an activity.
 * @param progress what a later attempt would need to go on from here.
 */
export async function beating<T>(work: () => Promise<T>, progress?: () => unknown): Promise<T> {
  const beat = (): void => heartbeat(progress?.());
  beat();
  const timer = setInterval(beat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
