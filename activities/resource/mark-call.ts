// Records at Temporal that a call is about to be made, for calls that must not be made twice. If a worker dies without this mark, it has
// sent nothing.
import { Context, heartbeat } from '@temporalio/activity';
import { HEARTBEAT_MS } from '../attempts/heartbeat.js';
import { within } from '../attempts/within.js';
import { notSent } from '../failure.js';
import type { Client } from '@temporalio/client';

/** How long we wait for Temporal to accept the mark. Without it, nothing is sent. */
const MARKING_MS = 5000;
/** Temporal shows this value for an attempt that timed out. Only its presence matters. */
const MARK = 'called';

export interface Marks {
  /** Resolves when Temporal has accepted the mark. @throws ApplicationFailure `not_marked` or `withdrawn`: nothing was sent. */
  mark: () => Promise<void>;
  /** The marked call certainly had no effect. Temporal keeps its mark, so a worker that dies now causes a look-up. */
  clear: () => void;
  /** Whether a call may have been sent. */
  isMarked: () => boolean;
  end: () => void;
}

/**
 * Marks each call of an activity with a heartbeat that Temporal has accepted. Before the first mark nothing heartbeats, so no late heartbeat
 * can overwrite it. After the mark, the activity heartbeats every second until `end`.
 */
export function createMarks(temporal: Client): Marks {
  const { taskToken } = Context.current().info;
  let timer: NodeJS.Timeout | undefined;
  let isMarked = false;
  const mark = async (): Promise<void> => {
    const taken = temporal.withDeadline(Date.now() + MARKING_MS, () =>
      temporal.activity.heartbeat(taskToken, MARK),
    );
    // The client applies its deadline to each call, but not to the pauses between its retries. The timer covers both.
    await within(taken, MARKING_MS, lateMark).catch((error: unknown) => {
      throw isCancelRequested(error) ? notSent('withdrawn') : notSent('not_marked', error);
    });
    isMarked = true;
    timer ??= setInterval(() => heartbeat(MARK), HEARTBEAT_MS);
  };
  return {
    mark,
    clear: () => void (isMarked = false),
    isMarked: () => isMarked,
    end: () => clearInterval(timer),
  };
}

/** Temporal's client throws this error if the heartbeat was accepted but the workflow has cancelled the activity. */
const isCancelRequested = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ActivityCancelledError';

const lateMark = (): Error => new Error('Temporal did not accept a heartbeat in time');
