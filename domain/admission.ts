// Whether a payment may be asked for under an agreement, before anything is sent. Pure.
import type { AgreementState } from './agreement.js';
import type { Mandate, PaymentOrder, PaymentTerms } from './mandate.js';

export const ADMISSION_REFUSAL_CODES = [
  'agreement_not_active',
  'agreement_held', // whether it still stands, or on which terms, is not known yet
  'amount_not_fixed',
  'amount_over_maximum',
  'creditor_needed',
] as const;

/** Why a payment is not admitted, in words that a caller can act on. */
export interface Refusal {
  code: (typeof ADMISSION_REFUSAL_CODES)[number];
  detail: string;
  /** JSON pointer of the field that is to blame, when one is. */
  pointer?: string;
}

export interface Standing {
  state: AgreementState;
  /** Something says that the authority has gone, and it is not settled yet whether it has. */
  isInDoubt: boolean;
  /** The provider has sent the event that ends it, and shows that it is not over: an operator has to say how it is. */
  isContested: boolean;
  /** What the payer has accepted; absent while it has not been read from the provider. */
  mandate: Mandate | undefined;
}

type Check = (standing: Standing, order: PaymentOrder) => Refusal | undefined;

const CHECKS: readonly Check[] = [isActive, isUncontested, isUndoubted, isWithinAmounts, hasCreditor];

/** The first reason not to admit this payment, or nothing when it may go. */
export function refusalOf(standing: Standing, order: PaymentOrder): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(standing, order);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * Why no payment at all may be taken now, in certainty; nothing where one may, and where it is not known yet.
 */
export const endOfPayments = (standing: Standing): Refusal | undefined =>
  standing.isInDoubt || standing.isContested ? undefined : isActive(standing);

function isActive({ state }: Standing): Refusal | undefined {
  if (state === 'active') return undefined;
  return { code: 'agreement_not_active', detail: `Expected an active agreement; this one is ${state}.` };
}

function isUncontested({ isContested }: Standing): Refusal | undefined {
  if (!isContested) return undefined;
  const detail =
    'The provider has sent the event that ends this agreement, and shows that it is not over. An operator has to resolve the flag `conflict` first.';
  return { code: 'agreement_held', detail };
}

function isUndoubted({ isInDoubt, mandate }: Standing): Refusal | undefined {
  const why = isInDoubt
    ? 'A notification says that it has ended or is paused'
    : 'Its terms have not been read from the provider yet';
  if (!isInDoubt && mandate !== undefined) return undefined;
  return { code: 'agreement_held', detail: `${why}; this is being looked up. Repeat the request later.` };
}

function isWithinAmounts({ mandate }: Standing, { amount }: PaymentOrder): Refusal | undefined {
  const terms = mandate?.payment_terms;
  const pointer = '/amount';
  if (terms === undefined || terms === null) return undefined;
  const allowed = fixedAmounts(terms);
  if (allowed.length > 0 && !allowed.includes(amount)) {
    return {
      code: 'amount_not_fixed',
      detail: `Expected ${allowed.join(' or ')} cents, as agreed; met ${amount}.`,
      pointer,
    };
  }
  const max = terms.max_amount;
  if (typeof max === 'number' && amount > max) {
    return {
      code: 'amount_over_maximum',
      detail: `Expected at most ${max} cents, as agreed; met ${amount}.`,
      pointer,
    };
  }
  return undefined;
}

/** The amounts that fixed and balloon terms name; which of them is due when is the provider's to judge. */
function fixedAmounts(terms: PaymentTerms): number[] {
  if (terms.type !== 'fixed' && terms.type !== 'balloon') return [];
  const amounts = [terms.amount, terms.first_payment_amount, terms.last_payment_amount];
  return amounts.filter((amount) => typeof amount === 'number');
}

function hasCreditor({ mandate }: Standing, order: PaymentOrder): Refusal | undefined {
  if (order.creditor || mandate?.creditor) return undefined;
  return {
    code: 'creditor_needed',
    detail: 'Expected a creditor with the payment, since the agreement names none.',
    pointer: '/creditor',
  };
}
