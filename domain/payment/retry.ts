// When a failed payment may be tried again (docs/provider.md#payments-retry, #limits). Pure.
import { attemptsOf } from './attempts.js';
import { latest } from '../facts/fact.js';
import { fold } from '../facts/fold.js';
import { PAYMENT_LIFECYCLE } from './lifecycle.js';
import { useOf } from '../commands/key-use.js';
import type { KeyUse } from '../commands/key-use.js';
import type { Attempt, Attempted } from './attempts.js';
import type { Instant } from '../facts/fact.js';
import type { RetryPayment } from './request.schema.js';

/** A retry that a caller asks for. */
export interface RetryRequest {
  /** Digest of the caller's key within its scope: the same key is the same retry, however often it comes. */
  key: string;
  /** The principal that asked for it. */
  by: string;
  /** In place of the one that it was sent with. */
  creditor?: RetryPayment['creditor'];
}

/** What its key was used for. @param uid of the payment. */
export const useOfRetry = (uid: string, { key, creditor }: RetryRequest): KeyUse =>
  useOf(key, uid, { creditor });

/** That it is tried again without being asked: so many times at the most, so long after each failure. */
export interface RetryPolicy {
  attempts: number;
  everySeconds: number;
}

const MOST_RETRIES = 10;
/** The first one counts. */
const MOST_SUBMISSIONS_IN_A_DAY = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long to wait where the provider said that it is too soon, and not until when. */
export const RETRY_AFTER_MS = 60 * 60 * 1000;

export const RETRY_REFUSAL_CODES = [
  'payment_not_failed',
  'payment_not_retryable',
  'retries_used_up',
  'retry_too_soon',
] as const;

export interface RetryRefusal {
  code: (typeof RETRY_REFUSAL_CODES)[number];
  /** Names the rule, its limit, what was met, and the earliest moment at which it would pass. */
  detail: string;
  /** Absent where it never would. */
  earliest?: Instant | undefined;
}

/** What is kept of a payment, as far as a retry cares. */
export interface Retryable extends Attempted {
  /** What waited of it was withdrawn. */
  withdrawn?: object | undefined;
  /** What the provider has under its uid is another payment. */
  isAnothers?: true | undefined;
  submission?: (Attempted['submission'] & { parkedFor?: string | undefined }) | undefined;
  handling?: { retry?: RetryPolicy | undefined } | undefined;
  /** Before then the provider would not have it tried again. */
  retryNotBefore?: Instant | undefined;
}

/** Why it may not be tried again now, or nothing where it may. */
export function refusalOfRetry(payment: Retryable, now: Instant): RetryRefusal | undefined {
  if (payment.isAnothers === true || payment.submission?.parkedFor === 'difference')
    return {
      code: 'payment_not_retryable',
      detail: 'Expected a payment that the provider has; under this uid the provider has another one.',
    };
  const { state } = fold(PAYMENT_LIFECYCLE, payment.start, payment.facts);
  if (state !== 'failed')
    return {
      code: 'payment_not_failed',
      detail: `Expected a payment that has failed; this one is ${state}.`,
    };
  const attempts = attemptsOf(payment).filter(({ isUnsent }) => isUnsent !== true);
  if (attempts.length === 0 || payment.failure?.retryable !== true) {
    const code = payment.failure?.code ?? 'no code';
    const detail = `Expected a failure that the provider calls retryable; this one (${code}) it does not.`;
    return { code: 'payment_not_retryable', detail };
  }
  if (attempts.length > MOST_RETRIES) {
    const detail = `Expected at most ${MOST_RETRIES} retries in all; all have been made.`;
    return { code: 'retries_used_up', detail };
  }
  const earliest = earliestOf(attempts, payment);
  if (earliest === undefined || earliest <= now) return undefined;
  const detail = `Expected at most ${MOST_SUBMISSIONS_IN_A_DAY} submissions in 24 hours, the first one counted, and no sooner than the provider allows; it may be tried again from ${earliest}.`;
  return { code: 'retry_too_soon', detail, earliest };
}

/** When it is tried again without being asked; nothing where it is not, and after a withdrawal until a caller has it tried again. */
export function nextRetryAt(payment: Retryable): Instant | undefined {
  const { handling, withdrawn, retryNotBefore } = payment;
  if (handling?.retry === undefined || withdrawn !== undefined) return undefined;
  const all = attemptsOf(payment);
  const last = all.at(-1);
  const sent = all.filter(({ isUnsent }) => isUnsent !== true);
  // A retry that was refused for another reason than its time would be refused once more.
  if (last === undefined || (last.isUnsent === true && retryNotBefore === undefined)) return undefined;
  if (sent.length === 0 || sent.length > handling.retry.attempts) return undefined;
  const refusal = refusalOfRetry(payment, last.endReceivedAt ?? last.startedAt);
  if (refusal !== undefined && refusal.earliest === undefined) return undefined;
  const since =
    last.isUnsent === true ? [] : [after(last.endReceivedAt ?? last.startedAt, handling.retry.everySeconds)];
  return latest([...since, refusal?.earliest, retryNotBefore]);
}

const earliestOf = (sent: readonly Attempt[], { retryNotBefore }: Retryable): Instant | undefined => {
  const oldest = sent.at(-MOST_SUBMISSIONS_IN_A_DAY);
  const sentAt = oldest?.sentAt ?? oldest?.startedAt;
  return latest([sentAt === undefined ? undefined : after(sentAt, DAY_MS / 1000), retryNotBefore]);
};

const after = (at: Instant, seconds: number): Instant =>
  new Date(Date.parse(at) + seconds * 1000).toISOString();
