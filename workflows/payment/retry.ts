// Retries of a failed payment under its uid (docs/architecture.md#attempts). Plain JSON and pure.
import { attemptsOf } from '../../domain/payment/attempts.js';
import { retryId } from '../../domain/commands/ids.js';
import { isPaymentFinal, type PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import { applyUse, repeatOfUse } from '../../domain/commands/key-use.js';
import { nextRetryAt, refusalOfRetry, useOfRetry, type RetryRequest } from '../../domain/payment/retry.js';
import { applyLocalFact } from '../resource/attention.js';
import { refused } from '../engine/refusal.js';
import { afterAllFacts, newSubmission } from '../resource/state.js';
import { VISIBLE_AFTER_MS } from '../resource/submission/state.js';
import { isUnproven } from '../resource/others.js';
import { stateOf, type PaymentState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Fetched } from '../../domain/facts/snapshot.js';

/**
 * A repeat always passes.
 * @throws ApplicationFailure whose type is one of `RETRY_REFUSAL_CODES`, or `retry_key_conflict`.
 */
export function validateRetry(state: PaymentState, request: RetryRequest, now: Instant): void {
  const repeat = repeatOfUse(state, useOfRetry(state.uid, request));
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('retry_key_conflict', 'This key was already used for a different request. Use a new key.');
  // The answer to the current submission would count as the answer to the retry, and the retry would never be sent.
  if (state.submission.stage === 'sending')
    throw refused(
      'payment_not_failed',
      'The submission of this payment is still in progress. Repeat the request in a few seconds.',
    );
  if (isUnproven(state) || (state.isLost === true && state.isDoubtful === true))
    throw refused(
      'payment_not_failed',
      'The look-up of this payment is still in progress. Repeat the request in a few seconds.',
    );
  const refusal = refusalOfRetry(state, now, request.attempt);
  if (refusal !== undefined) throw refused(refusal.code, refusal.detail);
}

/** Starts the next attempt, after all known facts. Waits and results of the previous submission no longer count. */
function openAttempt(state: PaymentState, { key, by, creditor }: RetryRequest, now: Instant): PaymentState {
  const after = afterAllFacts(state, now);
  const { code, title, retryable } = state.failure ?? {};
  const failure = { code: code ?? null, title: title ?? null, retryable: retryable ?? null };
  const { sentAt } = state.submission;
  const detail = { by, failure, ...(sentAt !== undefined && { sentBefore: sentAt }) };
  const noted = applyLocalFact(state, retryId(key), 'retried', now, detail);
  return {
    ...noted,
    // The same uid, but another call.
    submission: { ...newSubmission('ready'), hasWaited: true, again: { after } },
    isLookUpDue: false,
    submissionsBefore: submissionsOf(state),
    creditorNow: creditor ?? state.creditorNow,
    snapshotState: 'failed',
    contradictedSince: undefined,
    blockedByAgreement: undefined,
    withdrawn: undefined,
    retryNotBefore: undefined,
  };
}

/** Retries at a caller's request. A repeat changes nothing. */
export function requestRetry(state: PaymentState, request: RetryRequest, now: Instant): PaymentState {
  const use = useOfRetry(state.uid, request);
  return repeatOfUse(state, use) === 'none' ? applyUse(openAttempt(state, request, now), use) : state;
}

/** Retries by the policy in the payment's own request, unless a rule forbids it by now. */
export const requestRetryByPolicy = (state: PaymentState, now: Instant): PaymentState =>
  nextRetryAt(state) === undefined || refusalOfRetry(state, now) !== undefined
    ? state
    : openAttempt(state, { key: `policy/${attemptsOf(state).length}`, by: 'policy' }, now);

/** How often it was sent in all its attempts. */
export const submissionsOf = ({ submissionsBefore = 0, submission }: PaymentState): number =>
  submissionsBefore + submission.count;

/** Until when a snapshot that shows `failed` may belong to the previous attempt; undefined without one, or once this attempt has ended. */
export function failedBeforeUntil(state: PaymentState): Instant | undefined {
  const { again, unknownSince, sentAt = unknownSince } = state.submission;
  if (again === undefined || sentAt === undefined || isPaymentFinal(stateOf(state))) return undefined;
  return new Date(Date.parse(sentAt) + VISIBLE_AFTER_MS).toISOString();
}

/**
 * Whether a snapshot may show the previous attempt. `failed` may, until the retry is visible, and while the retry has no clear answer. Without
 * a clear answer, an earlier state may too, until the retry is visible. `settled` never belongs to the previous attempt, because that failed.
 */
export function showsBefore(state: PaymentState, { snapshot, fetchedAt }: Fetched<PaymentSnapshot>): boolean {
  const { again, stage } = state.submission;
  if (again === undefined || snapshot.state === 'settled' || isPaymentFinal(stateOf(state))) return false;
  const until = failedBeforeUntil(state);
  const isVisible = until !== undefined && fetchedAt >= until;
  if (stage === 'open') return snapshot.state === 'failed' && !isVisible;
  return snapshot.state === 'failed' || !isVisible;
}
