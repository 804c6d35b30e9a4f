// What became of a payment, as its agreement counts it. Pure.
import type { Instant } from '../facts/fact.js';
import type { PaymentLifecycleState } from './lifecycle.js';

/**
 * `in_flight`: it may be paid yet. `not_sent`: it was never sent, or the provider would not take it. `unresolved`: an operator gave up asking, and
 * it is not known whether it was paid.
 */
export const PAYMENT_OUTCOMES = ['in_flight', 'settled', 'failed', 'not_sent', 'unresolved'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** A payment, as its agreement counts it. */
export interface PaymentEntry {
  uid: string;
  amount: number;
  requestedAt: Instant;
  outcome: PaymentOutcome;
  outcomeAt: Instant;
  /** Attempts of it that failed. */
  failures: number;
  /** Cents of it that were refunded. */
  refunded: number;
}

/** The same as it is kept: what is so at first is left out. */
export type StoredEntry = Pick<PaymentEntry, 'uid' | 'amount' | 'requestedAt'> & {
  [Name in Exclude<keyof PaymentEntry, 'uid' | 'amount' | 'requestedAt'>]?: PaymentEntry[Name] | undefined;
};

/** With the defaults that a stored entry leaves out. */
export function wholeEntry({ uid, amount, requestedAt, ...rest }: StoredEntry): PaymentEntry {
  const { outcome = 'in_flight', outcomeAt = requestedAt, failures = 0, refunded = 0 } = rest;
  return { uid, amount, requestedAt, outcome, outcomeAt, failures, refunded };
}

/** What a payment reports to its agreement each time that it changes. */
export interface PaymentReport {
  uid: string;
  /** Cents, by the order that the provider has. */
  amount: number;
  /** When it was asked for; when it was created, where it was found at the provider. */
  requestedAt: Instant;
  /** When its newest attempt was sent, by our clock; absent while it was not, and where that is not known. */
  sentAt?: Instant | undefined;
  /** It is the last one under the agreement. */
  isLast?: true | undefined;
  outcome: PaymentOutcome;
  /** Since when, by the provider's clock where the provider published it. */
  at: Instant;
  /** How many of its attempts have failed by then, counted from the first submission. */
  failures: number;
  /** How many of these failed because the agreement was in its grace period; absent for none. */
  graceFailures?: number | undefined;
  /** Cents that have been refunded by then; absent for none. */
  refunded?: number | undefined;
}

/** As much of a report as the next one is compared with. */
export type Reported = Pick<PaymentReport, 'amount' | 'sentAt' | 'outcome' | 'failures' | 'refunded'>;

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

/** @param failures how many of its attempts have failed at the provider: what failed without one, the provider would not take. */
export const outcomeOf = (state: PaymentLifecycleState, failures: number): PaymentOutcome =>
  state === 'failed' && failures === 0 ? 'not_sent' : OUTCOME_OF[state];
