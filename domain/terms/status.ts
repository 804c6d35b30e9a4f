// The input and the result of a judgement. Types only.
import type { AgreementLifecycleState } from '../agreement/lifecycle.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate } from '../agreement/mandate.js';
import type { PaymentOutcome } from '../payment/outcome.js';

/** An earlier admitted payment, as a judgement needs it. */
export interface Earlier {
  amount: number;
  requestedAt: Instant;
  /** When it was sent, if known. */
  sentAt?: Instant | undefined;
  /** Absent while it is first in flight. */
  outcome?: PaymentOutcome | undefined;
  /** It was requested as the last payment under the agreement. */
  isLast?: true | undefined;
}

export interface TermsStatus {
  state: AgreementLifecycleState;
  /** A fact reports that the payer's authority has ended or is suspended, and no look-up has settled it yet. */
  isInDoubt: boolean;
  /** The provider sent an event that ends the agreement, but shows that it has not ended; or another one had its uid before. An operator must decide. */
  isContested: boolean;
  /** The terms that the payer accepted; absent until they have been read from the provider. */
  mandate: Mandate | undefined;
  /** When the agreement started, as far as we know. */
  since: Instant;
  /** Every admitted payment, oldest first. */
  earlier: readonly Earlier[];
  /** Whether other payments may have been taken: by another system, or so long ago that we only store their number. */
  hasUnknownPayments: boolean;
  /** Attempts that failed in a row; 0 while an operator has accepted the current count by resolving the flag `consecutive_failures`. */
  consecutiveFailures: number;
  /** Other payments that may still fail. */
  inFlight: number;
}

export type TermsRefusalCode =
  | 'agreement_not_active'
  | 'agreement_held' // The state or the terms of the agreement are uncertain.
  | 'too_many_failures'
  | 'too_many_in_flight'
  | 'before_validity'
  | 'after_validity'
  | 'before_first_payment_date'
  | 'after_last_payment_date'
  | 'last_payment_needed'
  | 'last_payment_not_allowed'
  | 'last_payment_made'
  | 'amount_not_fixed'
  | 'amount_over_maximum'
  | 'too_many_in_period'
  | 'creditor_needed';

/** Why a payment is refused, so that the caller can act on it. */
export interface Refusal {
  code: TermsRefusalCode;
  detail: string;
  /** JSON pointer of the wrong field, if there is one. */
  pointer?: string | undefined;
  /** The allowed value and the actual one: a number, a day or a word. */
  limit: string | number | null;
  met: string | number | null;
  /** The earliest time at which the same request may be allowed; null if unknown or never. */
  passesFrom: Instant | null;
}
