// The one retry decision: do we know what happened? Refused means stop; unknown means ask, or try again.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { waitMs } from '../domain/time/poll-intervals.js';
import { PaymentsApiError, throttledMs } from '../payments-api/errors.js';
import type { PollIntervalsName } from '../domain/time/poll-intervals.js';
import type { CallCode, PaymentsApiErrorCode } from '../domain/provider/call-codes.js';

/** What became of a call that failed. `ask`: asking again may help. `stop`: it will not. */
type Verdict = 'ask' | 'stop';

/** For calls that may be repeated: reads, and writes that carry a uid of ours. */
const REPEATABLE: Readonly<Record<PaymentsApiErrorCode, Verdict>> = {
  rejected: 'stop',
  forbidden: 'stop',
  grant_refused: 'stop',
  conflict: 'ask', // a version below the minimum: asking again helps once an operator has mended the configuration
  not_found: 'ask', // what exists may not be readable yet
  client_refused: 'ask',
  unauthorised: 'ask',
  rate_limited: 'ask',
  unavailable: 'ask',
  malformed: 'ask', // we do not know what was said, and giving up would decide it
};

/** For reads nothing but a missing consent is final: whatever else stands in the way may be mended one day. */
const READ: Readonly<Record<PaymentsApiErrorCode, Verdict>> = { ...REPEATABLE, rejected: 'ask' };

/** The failure of a call that changes something: tried again only where the provider certainly did nothing. */
export const writeFailure = (error: unknown): unknown => toApplicationFailure(error, REPEATABLE);
/** The failure of a read: tried again for every error that another attempt may not meet. */
export const readFailure = (error: unknown): unknown => toApplicationFailure(error, READ);

/**
 * The border between the provider's errors and Temporal's: type is our code, the first detail is the evidence
 * `{ status?, providerCodes, title?, means?, requiredScope?, lacksScope?, retryAfterMs?, advice? }`; the advice is ours, for a person. The
 * provider's titles are fixed words; its details may name a person and stay behind. Anything that is not a provider's error
 * passes unchanged. A call that our own budget had no room for is `queued`: whatever it was, nothing came of it, and no
 * operator need look into it.
 */
function toApplicationFailure(
  error: unknown,
  verdicts: Readonly<Record<PaymentsApiErrorCode, Verdict>>,
): unknown {
  if (!(error instanceof PaymentsApiError)) return error;
  if (throttledMs(error) !== undefined) return notSent(error);
  const { message, status, providerCodes, requiredScope, lacksScope, retryAfterMs } = error;
  const code = isUnreadable(error) ? 'malformed' : error.code;
  return ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: verdicts[code] === 'stop',
    ...pauseBefore(retryAfterMs),
    details: [
      {
        status,
        providerCodes,
        title: error.problems[0]?.title ?? ownReason(error),
        means: error.means,
        requiredScope,
        lacksScope,
        retryAfterMs,
        advice: error.advice,
      },
    ],
  });
}

/** Of what our own check refused the message is the reason: it names fields, and never their values. */
const ownReason = ({ code, status, message }: PaymentsApiError): string | undefined =>
  code === 'rejected' && status === undefined ? message : undefined;

const notSent = ({ message, retryAfterMs }: PaymentsApiError): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'queued' satisfies CallCode,
    message,
    ...pauseBefore(retryAfterMs),
    category: ApplicationFailureCategory.BENIGN,
    details: [{ providerCodes: [], retryAfterMs }],
  });

/** A provider may ask for a pause; a day of silence would be no use to anyone. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000;

const pauseBefore = (retryAfterMs: number | undefined): { nextRetryDelay?: number } =>
  retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, LONGEST_PAUSE_MS) };

/** A refusal without a word of why may be anyone's: some proxy's, say. It does not tell what became of the call. */
const isUnreadable = ({ code, status, problems }: PaymentsApiError): boolean =>
  code === 'rejected' && status !== undefined && problems.length === 0;

/** The grant has no consent at present: the workflow waits, nothing is tried again (docs/custody.md#the-life-of-a-token). */
export const needsReauthorisation = (connectionId: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'needs_reauthorisation' satisfies CallCode,
    message: `Connection ${connectionId} has no consent at present.`,
    nonRetryable: true,
  });

/**
 * Asked, and there is nothing new yet: no failure, but Temporal's way of asking again at no event. The next attempt is made where
 * the poll intervals say, give or take 10 %. Only within an activity.
 * @param unasked the connections that could not be asked, for the workflow to name.
 */
export function nothingYet(
  pollIntervals: PollIntervalsName,
  why: string,
  type: Extract<CallCode, 'nothing_new' | 'not_everyone_asked' | 'consents_missing'> = 'nothing_new',
  unasked?: { count: number; named: string[] },
): ApplicationFailure {
  const { attempt } = Context.current().info;
  const nextRetryDelay = waitMs(pollIntervals, attempt, Math.random());
  return ApplicationFailure.create({
    type,
    message: `request ${attempt}: ${why}; the next one in ${Math.round(nextRetryDelay / 1000)} s`,
    nextRetryDelay,
    category: ApplicationFailureCategory.BENIGN,
    ...(unasked !== undefined && { details: [{ providerCodes: [], unasked }] }),
  });
}
