// When a failed payment may be retried (docs/provider.md#payments-retry, #limits). Pure.
import { attemptsOf, type Attempt, type Attempted } from './attempts.js';
import { latest, type Instant } from '../facts/fact.js';
import { fold } from '../facts/fold.js';
import { PAYMENT_LIFECYCLE } from './lifecycle.js';
import { useOf, type KeyUse } from '../commands/key-use.js';
import type { RetryPayment } from './request.schema.js';

/** A retry, as a caller requests it. */
export interface RetryRequest {
  /** Digest of the caller's key within its scope. Requests with the same key are one retry. */
  key: string;
  by: string;
  /** Replaces the creditor of the previous attempt. */
  creditor?: RetryPayment['creditor'];
  /** The attempt whose failure is retried. If a later one exists, the retry is refused. Default: the latest. */
  attempt?: number | undefined;
}

/** The use of the retry's key. @param uid of the payment. */
export const useOfRetry = (uid: string, { key, creditor }: RetryRequest): KeyUse =>
  useOf(key, uid, { creditor });

/** Automatic retries: the maximum number, and the delay after each failure. */
export interface RetryPolicy {
  attempts: number;
  everySeconds: number;
}

const MOST_RETRIES = 10;
/** Including the first submission. */
const MOST_SUBMISSIONS_IN_A_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After so long, an automatic retry that is not sent or is refused is the last one, so that no policy continues for years. */
const LONGEST_POLICY_MS = 40 * DAY_MS;
/** How long to wait if the provider refused a retry as too soon without a time. */
export const RETRY_AFTER_MS = 60 * 60 * 1000;

export interface RetryRefusal {
  code: 'payment_not_failed' | 'payment_not_retryable' | 'retries_used_up' | 'retry_too_soon';
  /** Names the rule, its limit, the actual value, and when a retry becomes possible. */
  detail: string;
  /** Absent if a retry will never be possible. */
  earliest?: Instant | undefined;
}

/** The fields of a stored payment that decide whether it may be retried. */
export interface Retryable extends Attempted {
  /** Its pending submission was withdrawn. */
  withdrawn?: object | undefined;
  /** The provider has a different payment under this uid. */
  isAnothers?: true | undefined;
  /** Its last run has left no state, so it is not retried automatically. */
  isLost?: true | undefined;
  submission?: (Attempted['submission'] & { parkedFor?: string | undefined }) | undefined;
  handling?: { retry?: RetryPolicy | undefined } | undefined;
  /** The provider refuses a retry before this time. */
  retryNotBefore?: Instant | undefined;
}

/** A payment, as far as it decides whether its latest attempt may be retried. */
export interface FailedPayment {
  state: string;
  /** Oldest first. */
  attempts: readonly Attempt[];
  failure?: Attempted['failure'];
  retryNotBefore?: Instant | undefined;
}

/** Why it may not be retried now; undefined if it may. @param attempt the attempt whose failure is retried. Default: the latest. */
export function refusalOfRetry(payment: Retryable, now: Instant, attempt?: number): RetryRefusal | undefined {
  if (payment.isAnothers === true || payment.submission?.parkedFor === 'difference')
    return {
      code: 'payment_not_retryable',
      detail: 'Expected a payment that the provider has; under this uid it has a different one.',
    };
  const { state } = fold(PAYMENT_LIFECYCLE, payment.start, payment.facts);
  const { failure, retryNotBefore } = payment;
  return attemptRefusal({ state, attempts: attemptsOf(payment), failure, retryNotBefore }, now, attempt);
}

/** As `refusalOfRetry`, by what the payment's view shows. */
export function attemptRefusal(
  { state, attempts, failure, retryNotBefore }: FailedPayment,
  now: Instant,
  attempt?: number,
): RetryRefusal | undefined {
  if (state !== 'failed')
    return {
      code: 'payment_not_failed',
      detail: `Expected a failed payment; this one is ${state}.`,
    };
  const latestAttempt = attempts.at(-1)?.n;
  if (attempt !== undefined && latestAttempt !== attempt) {
    const detail = `Expected attempt ${attempt} to be the latest; attempt ${latestAttempt ?? 1} has failed since.`;
    return { code: 'payment_not_retryable', detail };
  }
  const sent = attempts.filter(({ isUnsent }) => isUnsent !== true);
  if (sent.length === 0 || failure?.retryable !== true) {
    const code = failure?.code ?? 'no code';
    const detail = `Expected a failure that the provider marks as retryable; this one (${code}) is not. Request another payment instead.`;
    return { code: 'payment_not_retryable', detail };
  }
  if (sent.length > MOST_RETRIES) {
    const detail = `Expected at most ${MOST_RETRIES} retries in total; all have been used. Request another payment instead.`;
    return { code: 'retries_used_up', detail };
  }
  const earliest = earliestOf(sent, retryNotBefore);
  if (earliest === undefined || earliest <= now) return undefined;
  const detail = `Expected at most ${MOST_SUBMISSIONS_IN_A_DAY} submissions in 24 hours, including the first, and no retry before the time that the provider allows. Retry from ${earliest}.`;
  return { code: 'retry_too_soon', detail, earliest };
}

/**
 * When it is retried automatically; undefined if it is not. After a withdrawal, only a caller can retry it. A retry that was not sent in time does
 * not end the policy, and a temporary refusal does not either: neither counts as a retry.
 */
export function nextRetryAt(payment: Retryable): Instant | undefined {
  const { handling, withdrawn, retryNotBefore } = payment;
  if (handling?.retry === undefined || withdrawn !== undefined || payment.isLost === true) return undefined;
  const all = attemptsOf(payment);
  const last = all.at(-1);
  const sent = all.filter(({ isUnsent }) => isUnsent !== true);
  if (last === undefined || sent.length === 0 || sent.length > handling.retry.attempts) return undefined;
  const endedAt = last.endReceivedAt ?? last.startedAt;
  if (last.isUnsent === true && !continuesAfter(last, payment)) return undefined;
  const refusal = refusalOfRetry(payment, endedAt);
  if (refusal !== undefined && refusal.earliest === undefined) return undefined;
  return latest([pausedUntil(last, endedAt, payment), refusal?.earliest, retryNotBefore]);
}

/** Whether the policy continues after a retry that was not sent or was refused. If the reason was lasting, the next one would be refused too. */
function continuesAfter(
  { failure, startedAt }: Attempt,
  { requestedAt, retryNotBefore }: Retryable,
): boolean {
  if (retryNotBefore !== undefined) return true;
  return failure?.isTemporary === true && startedAt < after(requestedAt, LONGEST_POLICY_MS / 1000);
}

/** The end of the pause that the policy makes after an attempt: a day after a temporary refusal. A retry that lapsed has waited that long already. */
function pausedUntil(
  { isUnsent, failure }: Attempt,
  endedAt: Instant,
  { handling, retryNotBefore }: Retryable,
): Instant | undefined {
  if (isUnsent !== true) return after(endedAt, handling?.retry?.everySeconds ?? 0);
  if (failure?.isTemporary !== true || retryNotBefore !== undefined) return undefined;
  return failure.code === 'lapsed' ? endedAt : after(endedAt, DAY_MS / 1000);
}

const earliestOf = (sent: readonly Attempt[], retryNotBefore: Instant | undefined): Instant | undefined => {
  const oldest = sent.at(-MOST_SUBMISSIONS_IN_A_DAY);
  const sentAt = oldest?.sentAt ?? oldest?.startedAt;
  return latest([sentAt === undefined ? undefined : after(sentAt, DAY_MS / 1000), retryNotBefore]);
};

const after = (at: Instant, seconds: number): Instant =>
  new Date(Date.parse(at) + seconds * 1000).toISOString();
