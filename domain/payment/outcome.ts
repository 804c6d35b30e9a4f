// The outcome of a payment, as its agreement counts it. Pure.
import type { Instant } from '../facts/fact.js';
import type { PaymentLifecycleState } from './lifecycle.js';

/**
 * `in_flight`: it may still be paid. `not_sent`: it was never sent, or the provider refused it. `unresolved`: an operator gave up, and it is
 * unknown whether it was paid.
 */
export const PAYMENT_OUTCOMES = ['in_flight', 'settled', 'failed', 'not_sent', 'unresolved'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** A payment in the agreement's ledger. */
export interface PaymentEntry {
  uid: string;
  amount: number;
  requestedAt: Instant;
  outcome: PaymentOutcome;
  outcomeAt: Instant;
  failures: number;
  /** Refunded cents. */
  refunded: number;
}

/** A stored entry, without the initial values. */
export type StoredEntry = Pick<PaymentEntry, 'uid' | 'amount' | 'requestedAt'> & {
  [Name in Exclude<keyof PaymentEntry, 'uid' | 'amount' | 'requestedAt'>]?: PaymentEntry[Name] | undefined;
};

/** Fills in the initial values of a stored entry. */
export function wholeEntry({ uid, amount, requestedAt, ...rest }: StoredEntry): PaymentEntry {
  const { outcome = 'in_flight', outcomeAt = requestedAt, failures = 0, refunded = 0 } = rest;
  return { uid, amount, requestedAt, outcome, outcomeAt, failures, refunded };
}

/** A payment's report to its agreement after each change. */
export interface PaymentReport {
  uid: string;
  /** Cents, as in the provider's order. */
  amount: number;
  /** When it was requested, or when it was created if it was found at the provider. */
  requestedAt: Instant;
  /** When its latest attempt was sent, by our clock; absent if it was not sent, or if the time is unknown. */
  sentAt?: Instant | undefined;
  /** It is the last payment under the agreement. */
  isLast?: true | undefined;
  outcome: PaymentOutcome;
  /** When the outcome started, by the provider's clock if the provider published it. */
  at: Instant;
  /** Failed attempts so far, including the first submission. */
  failures: number;
  /** Attempts that failed because the agreement was in its grace period; absent for none. */
  graceFailures?: number | undefined;
  /** Cents refunded so far; absent for none. */
  refunded?: number | undefined;
  /** Only for `not_sent`. */
  unsentFor?: UnsentReason | undefined;
  /** The provider allows a retry under the same uid. */
  isRetryable?: true | undefined;
}

/** Why a payment was not sent or was refused. */
export interface UnsentReason {
  code: string;
  detail: string;
  /** The same payment may be possible later. */
  isTemporary?: true | undefined;
}

/** The fields by which a report is compared with the next one. */
export type Reported = Pick<PaymentReport, 'amount' | 'sentAt' | 'outcome' | 'failures' | 'refunded'> & {
  at?: Instant | undefined;
};

const OUTCOME_OF: Readonly<Record<PaymentLifecycleState, PaymentOutcome>> = {
  requested: 'in_flight',
  created: 'in_flight',
  submitting: 'in_flight',
  pending: 'in_flight',
  under_investigation: 'in_flight',
  retrying: 'in_flight',
  settled: 'settled',
  failed: 'failed',
  lapsed: 'not_sent',
  withdrawn: 'not_sent',
  unresolved: 'unresolved',
};

/** @param failures attempts that failed at the provider. A failed payment without one was refused, so it counts as not sent. */
export const outcomeOf = (state: PaymentLifecycleState, failures: number): PaymentOutcome =>
  state === 'failed' && failures === 0 ? 'not_sent' : OUTCOME_OF[state];
