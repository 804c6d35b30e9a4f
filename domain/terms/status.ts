// What a payment is judged by, and what the judgement says. Types alone.
import type { AgreementLifecycleState } from '../agreement/lifecycle.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate } from '../agreement/mandate.js';
import type { PaymentOutcome } from '../payment/outcome.js';

/** A payment that was admitted before, as far as a judgement needs it. */
export interface Earlier {
  amount: number;
  requestedAt: Instant;
  /** When it was sent, where that is known. */
  sentAt?: Instant | undefined;
  /** Absent while it is in flight from the first. */
  outcome?: PaymentOutcome | undefined;
  /** It was asked for as the last one under the agreement. */
  isLast?: true | undefined;
}

export interface TermsStatus {
  state: AgreementLifecycleState;
  /** Something says that the authority has gone, and it is not settled yet whether it has. */
  isInDoubt: boolean;
  /** The provider has sent the event that ends it, and shows that it is not over: an operator has to say how it is. */
  isContested: boolean;
  /** What the payer has accepted; absent while it has not been read from the provider. */
  mandate: Mandate | undefined;
  /** When the agreement began, as far as is known. */
  since: Instant;
  /** Every payment that was admitted before, oldest first. */
  earlier: readonly Earlier[];
  /** Whether payments may have been taken that are not among them: elsewhere, or so long ago that they are known by number alone. */
  hasUnknownPayments: boolean;
  /** Attempts that failed in a row, where no operator has said that payments may go on. */
  consecutiveFailures: number;
  /** Other payments that may fail yet. */
  inFlight: number;
}

export const TERMS_REFUSAL_CODES = [
  'agreement_not_active',
  'agreement_held', // whether it still stands, or on which terms, is not known yet
  'too_many_failures',
  'too_many_in_flight',
  'before_validity',
  'after_validity',
  'before_first_payment_date',
  'after_last_payment_date',
  'last_payment_needed',
  'last_payment_not_allowed',
  'last_payment_made',
  'amount_not_fixed',
  'amount_over_maximum',
  'too_many_in_period',
  'creditor_needed',
] as const;
export type TermsRefusalCode = (typeof TERMS_REFUSAL_CODES)[number];

/** Why a payment is not admitted, in words that a caller can act on. */
export interface Refusal {
  /** Names the rule. */
  code: TermsRefusalCode;
  detail: string;
  /** JSON pointer of the field that is to blame, when one is. */
  pointer?: string | undefined;
  /** What the rule allows, and what was met instead: a number, a day or a word. */
  limit: string | number | null;
  met: string | number | null;
  /** The earliest moment at which the same request may pass; null where none is known, or none will come. */
  passesFrom: Instant | null;
}
