// Records at Temporal that a call is about to be made, for calls that must not be made twice. If a worker dies without this mark, it has
// sent nothing.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { HEARTBEAT_MS } from '../attempts/heartbeat.js';
import { within } from '../attempts/within.js';
import type { Client } from '@temporalio/client';
import type { CallCode } from '../../domain/provider/call-codes.js';

/** How long we wait for Temporal to accept the mark. Without it, nothing is sent. */
const MARKING_MS = 5000;
/** Temporal shows this value for an attempt that timed out. Only its presence matters. */
const MARK = 'called';

/**
 * Does work that marks each call with a heartbeat that Temporal has accepted. Before the first mark nothing heartbeats, so no late heartbeat
 * can overwrite it. After the mark, the activity heartbeats every second. A timed-out or cancelled attempt makes no call.
 * @throws ApplicationFailure `not_marked` or `withdrawn` from `mark`: nothing was sent.
 */
export async function markCalls<T>(
  temporal: Client,
  work: (mark: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { taskToken } = Context.current().info;
  let timer: NodeJS.Timeout | undefined;
  const mark = async (): Promise<void> => {
    const taken = temporal.withDeadline(Date.now() + MARKING_MS, () =>
      temporal.activity.heartbeat(taskToken, MARK),
    );
    // The client applies its deadline to each call, but not to the pauses between its retries. The timer covers both.
    await within(taken, MARKING_MS, lateMark).catch((error: unknown) => {
      throw isCancelRequested(error) ? notSent('withdrawn') : notSent('not_marked', error);
    });
    timer ??= setInterval(() => heartbeat(MARK), HEARTBEAT_MS);
  };
  try {
    return await work(mark);
  } finally {
    clearInterval(timer);
  }
}

/** Temporal's client throws this error if the heartbeat was accepted but the workflow has cancelled the activity. */
const isCancelRequested = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ActivityCancelledError';

const lateMark = (): Error => new Error('Temporal did not accept a heartbeat in time');

const notSent = (type: Extract<CallCode, 'withdrawn' | 'not_marked'>, cause?: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: `not sent: ${WHY[type]}`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    ...(cause instanceof Error && { cause }),
  });

const WHY = {
  withdrawn: 'the request was withdrawn before the call',
  not_marked: 'Temporal did not record the start of the call',
} as const;
