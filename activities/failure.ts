// The one retry decision: do we know what happened? A refusal is final. An unknown outcome means look up or retry.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { waitMs, type PollIntervalsName } from '../domain/time/poll-intervals.js';
import { callCodeOf, type CallCode, type PaymentsApiErrorCode } from '../domain/provider/call-codes.js';
import { PaymentsApiError, throttledMs } from '../payments-api/errors.js';

/** `ask`: another attempt may help. `stop`: it will not. */
type Verdict = 'ask' | 'stop';

/** For calls that are safe to repeat: reads, and writes that carry our uid. */
const REPEATABLE: Readonly<Record<PaymentsApiErrorCode, Verdict>> = {
  rejected: 'stop',
  forbidden: 'stop',
  grant_refused: 'stop',
  conflict: 'ask', // The API version is below the minimum. A retry succeeds once an operator has fixed the configuration.
  not_found: 'ask', // A new resource may not be readable yet.
  client_refused: 'ask',
  unauthorised: 'ask',
  rate_limited: 'ask',
  unavailable: 'ask',
  malformed: 'ask', // The outcome is unknown, so the call must not end here.
};

/** A read fails for good only without consent. Every other problem may be fixed later. */
const READ: Readonly<Record<PaymentsApiErrorCode, Verdict>> = { ...REPEATABLE, rejected: 'ask' };

/** The failure of a write: retried only if the provider certainly did nothing. */
export const writeFailure = (error: unknown): unknown => toApplicationFailure(error, REPEATABLE);
/**
 * The failure of a write of which no byte was sent, for example because the token could not be read. It stays as it is if it has a code
 * that says so. @param isWithdrawn the workflow has cancelled it.
 */
export function unsentFailure(error: unknown, isWithdrawn: boolean): unknown {
  if (isWithdrawn) return notSent('withdrawn', error);
  const failure = writeFailure(error);
  const code = failure instanceof ApplicationFailure ? callCodeOf(failure.type) : 'unanswered';
  return SENT_PERHAPS.has(code) ? notSent('not_marked', error) : failure;
}

/** The codes that leave open whether a call had an effect. */
const SENT_PERHAPS: ReadonlySet<CallCode> = new Set<CallCode>(['unavailable', 'malformed', 'unanswered']);

/** Whether no other attempt may help: a person must act first. */
export const isFinal = (failure: unknown): failure is ApplicationFailure =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;

/** The failure of a read: retried for every error that may not occur again. */
export const readFailure = (error: unknown): unknown => toApplicationFailure(error, READ);

/**
 * Translates the provider's errors into Temporal's. The type is our code. The first detail is the evidence:
 * `{ status?, providerCodes, title?, means?, requiredScope?, lacksScope?, retryAfterMs?, advice? }`. `advice` is our text for a person.
 * The provider's titles are fixed texts. Its details may name a person, so they are left out. Any other error passes unchanged.
 * A call that our rate limit held back becomes `queued`: nothing was sent, and no operator needs to act.
 */
function toApplicationFailure(
  error: unknown,
  verdicts: Readonly<Record<PaymentsApiErrorCode, Verdict>>,
): unknown {
  if (!(error instanceof PaymentsApiError)) return error;
  if (throttledMs(error) !== undefined) return queued(error);
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

/** The reason why our own check refused the request. It names fields, never their values. */
const ownReason = ({ code, status, message }: PaymentsApiError): string | undefined =>
  code === 'rejected' && status === undefined ? message : undefined;

const queued = ({ message, retryAfterMs }: PaymentsApiError): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'queued' satisfies CallCode,
    message,
    ...pauseBefore(retryAfterMs),
    category: ApplicationFailureCategory.BENIGN,
    details: [{ providerCodes: [], retryAfterMs }],
  });

/** @param cause why Temporal has no mark of the call, or why the work failed before it. */
export const notSent = (type: keyof typeof NOT_SENT, cause?: unknown): ApplicationFailure =>
  unsent(type, NOT_SENT[type], cause);

/** A call that was not sent, and that the workflow expects. */
export const unsent = (
  type: Extract<CallCode, 'withdrawn' | 'not_marked' | 'stopped' | 'late'>,
  why: string,
  cause?: unknown,
): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: `not sent: ${why}`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    ...(cause instanceof Error && { cause }),
  });

const NOT_SENT = {
  withdrawn: 'the request was withdrawn before the call',
  not_marked: 'the call was not started',
} as const;

/** An upper limit for the pause that the provider requests. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000;

const pauseBefore = (retryAfterMs: number | undefined): { nextRetryDelay?: number } =>
  retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, LONGEST_PAUSE_MS) };

/** A refusal without a problem document may come from a proxy, so the outcome of the call is unknown. */
const isUnreadable = ({ code, status, problems }: PaymentsApiError): boolean =>
  code === 'rejected' && status !== undefined && problems.length === 0;

/** The connection has no consent: the workflow waits and nothing is retried (docs/custody.md#the-life-of-a-token). */
export const needsReauthorisation = (connectionId: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'needs_reauthorisation' satisfies CallCode,
    message: `Connection ${connectionId} has no consent; the merchant must consent again.`,
    nonRetryable: true,
  });

/**
 * A poll found nothing new. Temporal retries the attempt without writing an event, after the poll interval ± 10 %. Call it only in an
 * activity.
 * @param unasked the connections that could not be polled, for the workflow to name.
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
    message: `attempt ${attempt}: ${why}; next attempt in ${Math.round(nextRetryDelay / 1000)} s`,
    nextRetryDelay,
    category: ApplicationFailureCategory.BENIGN,
    ...(unasked !== undefined && { details: [{ providerCodes: [], unasked }] }),
  });
}
