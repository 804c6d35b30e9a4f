// A call that must not be made twice is marked at Temporal right before it is made: what a worker that has died had not marked, it had
// not sent.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { HEARTBEAT_MS } from '../attempts/heartbeat.js';
import { within } from '../attempts/within.js';
import type { Client } from '@temporalio/client';
import type { CallCode } from '../../domain/provider/call-codes.js';

/** How long Temporal is waited for; nothing is sent where it has not answered by then. */
const MARKING_MS = 5000;
/** What Temporal shows of an attempt that it gives up; that there is something is what counts. */
const MARK = 'called';

/**
 * Does work that marks its calls by a heartbeat that Temporal has taken in. Before the first one nothing is heartbeated, so that no late
 * heartbeat can take the mark away; from then on each second. An attempt that Temporal has given up, or is to cancel, makes no call.
 * @throws ApplicationFailure `not_marked` or `withdrawn`, out of the mark: nothing was sent.
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
    // The client heeds its deadline only while it calls, and not while it waits to call again: the timer does both.
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

/** The client throws it where the heartbeat was taken in and the workflow has asked for the attempt to end. */
const isCancelRequested = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ActivityCancelledError';

const lateMark = (): Error => new Error('expected Temporal to take in a heartbeat in time');

const notSent = (type: Extract<CallCode, 'withdrawn' | 'not_marked'>, cause?: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: `not sent: ${WHY[type]}`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    ...(cause instanceof Error && { cause }),
  });

const WHY = {
  withdrawn: 'it was taken back before the call was made',
  not_marked: 'Temporal did not take in that the call begins',
} as const;
