// Delays a response (`?wait=seconds`) until a resource has its outcome, and retries a failed call. Both have a time limit.
import type { Changes } from '../../records/watchers.js';
import { ApiError } from './problems/errors.js';
import { PROBLEMS } from './problems/codes.js';

/** An injected clock, so that tests need not wait. */
export interface Clock {
  now: () => number;
  /** Resolves after the given time, or as soon as the signal aborts. Never rejects. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

interface Patience {
  /** Epoch milliseconds. */
  until: number;
  /** After an abort, at most one more attempt is made. */
  signal: AbortSignal;
  clock: Clock;
}

/** Retries until an attempt succeeds or the time is up, then rejects with the last error. */
export async function retried<T>(attempt: () => Promise<T>, { until, signal, clock }: Patience): Promise<T> {
  for (let gap = GAP_MS.first; ; gap = Math.min(gap * GAP_MS.growth, GAP_MS.most)) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || clock.now() + gap > until) throw error;
    }
    await clock.pause(gap, signal);
  }
}

const GAP_MS = { first: 100, growth: 1.5, most: 500 };

interface Watch<View> extends Wait {
  /** Undefined if there is nothing to read yet. The previous view is then used. */
  read: () => Promise<View | undefined>;
  isOver: (view: View) => boolean;
}

/** How a request waits. */
export interface Wait {
  seconds: number | undefined;
  /** Aborts when the caller disconnects. The response is then not read. */
  gone: AbortSignal;
  /** Aborts when this process shuts down. The response is then the current view. */
  stopping: AbortSignal;
  clock: Clock;
  changes: Pick<Changes, 'watch'>;
  /** The workflow whose row is watched. */
  workflowId: string;
}

/** A request with the query parameter `wait`. */
interface Waiting {
  req: { valid: (target: 'query') => { wait?: number | undefined }; raw: Request };
}

/** How this request waits for a change of the workflow's row. */
export const waitOf = (
  {
    clock,
    changes,
    bridge: { stopping },
  }: Pick<Wait, 'clock' | 'changes'> & { bridge: Pick<Wait, 'stopping'> },
  { req }: Waiting,
  workflowId: string,
): Wait => ({ seconds: req.valid('query').wait, gone: req.raw.signal, stopping, clock, changes, workflowId });

/** Resolves with the latest view at the end of the wait. During an outage, the last view counts. */
export async function watched<View>(first: View, watch: Watch<View>): Promise<View> {
  const { read, isOver, seconds = 0, gone, stopping, clock, changes, workflowId } = watch;
  if (seconds === 0 || isOver(first)) return first;
  const end = clock.now() + seconds * 1000;
  const signal = AbortSignal.any([gone, stopping]);
  const watcher = changes.watch(workflowId);
  const latest = async (before: View): Promise<View> => (await read().catch(lastViewInOutage)) ?? before;
  try {
    let view = first;
    for (let left = end - clock.now(); left > 0 && !isOver(view) && !gone.aborted; left = end - clock.now()) {
      await watcher.changed(left, signal);
      if (!gone.aborted) view = await latest(view);
      if (stopping.aborted) return view;
    }
    return view;
  } finally {
    watcher.stop();
  }
}

function lastViewInOutage(error: unknown): undefined {
  if (error instanceof ApiError && PROBLEMS[error.code].status === 503) return undefined;
  throw error;
}
