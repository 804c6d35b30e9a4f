// The evidence for an allowed payment: the state of its agreement and the terms in force when it was judged. Stored with the payment as
// plain values, because the agreement may be amended or end later. Pure.
import { shortened } from '../facts/retention.js';
import type { AgreementLifecycleState } from '../agreement/lifecycle.js';
import type { Day } from '../time/calendar.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate } from '../agreement/mandate.js';
import type { TermsStatus } from './status.js';

/** Only terms that are set. */
export interface JudgedTerms {
  type?: string | undefined;
  frequency?: string | undefined;
  count?: number | undefined;
  amount?: number | undefined;
  max_amount?: number | undefined;
  first_payment_amount?: number | undefined;
  last_payment_amount?: number | undefined;
  first_payment_date?: Day | undefined;
  last_payment_date?: Day | undefined;
  validity_start_date?: Day | undefined;
  validity_end_date?: Day | undefined;
}

export interface Judgement {
  at: Instant;
  state: AgreementLifecycleState;
  terms: JudgedTerms;
}

/** Why the agreement of a waiting payment does not allow it now. */
export interface AgreementRefusal {
  code: string;
  detail: string;
  isTemporary?: true | undefined;
}

/** Whether a waiting payment may be sent now: a refusal, or the judgement that allows it. */
export type AgreementAnswer = { refusal: AgreementRefusal } | { judged: Judgement };

/** A payment must be sent this soon after its judgement. After that its agreement is checked again, because it may have ended. */
export const JUDGEMENT_LASTS_MS = 5000;

/** Applies to this submission and later ones, until the next judgement. */
export interface PaymentJudgement extends Judgement {
  /** Counted from 1. */
  attempt: number;
  /** Counted from 1, over all attempts. */
  submission: number;
}

export const judgementOf = ({ state, mandate }: TermsStatus, at: Instant): Judgement => ({
  at,
  state,
  terms: termsOf(mandate),
});

const text = (value: string | null | undefined): string | undefined =>
  typeof value === 'string' ? shortened(value) : undefined;

function termsOf(mandate: Mandate = {}): JudgedTerms {
  const terms = mandate.payment_terms ?? {};
  return {
    type: text(terms.type),
    frequency: text(terms.frequency),
    count: terms.count ?? undefined,
    amount: terms.amount ?? undefined,
    max_amount: terms.max_amount ?? undefined,
    first_payment_amount: terms.first_payment_amount ?? undefined,
    last_payment_amount: terms.last_payment_amount ?? undefined,
    first_payment_date: text(terms.first_payment_date),
    last_payment_date: text(terms.last_payment_date),
    validity_start_date: text(mandate.validity_start_date),
    validity_end_date: text(mandate.validity_end_date),
  };
}
