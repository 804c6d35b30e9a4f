// For calls that must be made once. Temporal makes one attempt of them, but an operator can cause another one: by a pause, a reset, or
// other options of the activity.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { notSent } from '../failure.js';
import type { CallCode } from '../../domain/provider/call-codes.js';

/**
 * Lets only the first attempt make a call. A reset starts again at attempt 1 and may delete the heartbeats, so a second start of attempt 1 proves
 * nothing.
 * @throws ApplicationFailure `unanswered` if an earlier attempt may have called, `not_marked` if none has.
 */
export function requireOnlyAttempt(): void {
  const { info } = Context.current();
  const isReset = info.attempt === 1 && info.currentAttemptScheduledTimestampMs > info.scheduledTimestampMs;
  if (info.attempt === 1 && !isReset) return;
  if (!isReset && info.heartbeatDetails === undefined) throw notSent('not_marked');
  throw ApplicationFailure.create({
    type: 'unanswered' satisfies CallCode,
    message:
      'not sent again: an earlier attempt, which an operator paused, reset or changed, may have sent it',
    nonRetryable: true,
  });
}

/**
 * Aborts only if the workflow cancels the activity. After a pause, a reset, new options or the shutdown of the worker, the call still
 * gets its answer: without it, its effect would be unknown.
 */
export function withdrawalSignal(): AbortSignal {
  const context = Context.current();
  const { cancellationSignal } = context;
  const withdrawal = new AbortController();
  const follow = (): void => {
    if (context.cancellationDetails?.cancelRequested === true) withdrawal.abort(cancellationSignal.reason);
  };
  cancellationSignal.addEventListener('abort', follow, { once: true });
  if (cancellationSignal.aborted) follow();
  return withdrawal.signal;
}
