// The rules by which a payment may be taken under an agreement now, in the order in which they are judged: a row each, pure. What the provider
// documents is refused here (docs/provider.md#agreements-creation, #limits); where its reading is not known, only what every reading refuses.
import { startOfSydneyDay } from '../time/sydney.js';
import { allowanceOf } from './periods.js';
import type { Day } from '../time/calendar.js';
import type { PaymentOrder, PaymentTerms } from '../agreement/mandate.js';
import type { PaymentOutcome } from '../payment/outcome.js';
import type { Earlier, Refusal, TermsStatus, TermsRefusalCode } from './status.js';

/** What is judged. */
export interface Case {
  status: TermsStatus;
  order: PaymentOrder;
  /** In Sydney. */
  today: Day;
  /** The day on which the agreement began, in Sydney. */
  began: Day;
  /** Of each earlier payment that was taken, or may have been: its day in Sydney, oldest first. */
  taken: readonly Day[];
}

/** What a rule says where it is broken; the rest of a refusal follows from its row. */
type Broken = Pick<Refusal, 'limit' | 'met'> & { expected: string; passesFrom?: Refusal['passesFrom'] };
export interface Rule<Judged = Case> {
  code: TermsRefusalCode;
  /** What it asks for, in documents. */
  says: string;
  pointer?: string;
  broken: (judged: Judged) => Broken | undefined;
}

/** The scheme suspends an agreement at the seventh failure in a row (docs/provider.md#agreements-states). */
export const MAX_CONSECUTIVE_FAILURES = 6;

/** Where it is broken, no payment at all may be taken. */
export const ACTIVE: Rule<Pick<Case, 'status'>> = {
  code: 'agreement_not_active',
  says: 'the agreement is active',
  broken: ({ status: { state } }) =>
    state === 'active' ? undefined : { expected: 'an active agreement', limit: 'active', met: state },
};

const STATE_RULES: readonly Rule[] = [
  ACTIVE,
  {
    code: 'agreement_held',
    says: 'no contradiction of the provider’s own words waits for an operator',
    broken: ({ status: { isContested } }) =>
      isContested
        ? {
            expected:
              'an agreement of which all is known: the provider has sent the event that ends it, and shows that it is not over, and an operator has to resolve the flag `conflict` first',
            limit: 'certain',
            met: 'contested',
          }
        : undefined,
  },
  {
    code: 'agreement_held',
    says: 'it is certain how the agreement stands, and its terms have been read',
    broken: ({ status: { isInDoubt, mandate } }) => {
      if (!isInDoubt && mandate !== undefined) return undefined;
      const why = isInDoubt
        ? 'a notification says that it has ended or is paused'
        : 'its terms have not been read from the provider yet';
      return {
        expected: `an agreement of which all is known: ${why}, and this is being looked up; repeat the request later`,
        limit: 'certain',
        met: isInDoubt ? 'in doubt' : 'unread',
      };
    },
  },
  {
    code: 'too_many_failures',
    says: 'fewer than six attempts have failed in a row, or an operator has let payments go on',
    broken: ({ status: { consecutiveFailures } }) =>
      consecutiveFailures < MAX_CONSECUTIVE_FAILURES
        ? undefined
        : {
            expected: `fewer than ${MAX_CONSECUTIVE_FAILURES} failures in a row, as the scheme suspends an agreement at the next one; an operator lets payments go on by resolving the flag \`strikes\``,
            limit: MAX_CONSECUTIVE_FAILURES,
            met: consecutiveFailures,
          },
  },
  {
    code: 'too_many_in_flight',
    says: 'with those that failed in a row, fewer than six are in flight: each of them may fail',
    broken: ({ status: { consecutiveFailures, inFlight } }) =>
      consecutiveFailures + inFlight < MAX_CONSECUTIVE_FAILURES
        ? undefined
        : {
            expected: `fewer than ${MAX_CONSECUTIVE_FAILURES} payments that failed in a row or are in flight, as the scheme suspends an agreement at the seventh failure; repeat the request once one in flight has ended`,
            limit: MAX_CONSECUTIVE_FAILURES,
            met: consecutiveFailures + inFlight,
          },
  },
];

const termsOf = ({ status }: Case): PaymentTerms => status.mandate?.payment_terms ?? EMPTY;
const EMPTY: PaymentTerms = {};

const before = (day: Day | null | undefined, today: Day, what: string): Broken | undefined =>
  isNoDay(day) || today >= day
    ? undefined
    : { expected: `a day from ${what} on`, limit: day, met: today, passesFrom: startOfSydneyDay(day) };
const after = (day: Day | null | undefined, today: Day, what: string): Broken | undefined =>
  isNoDay(day) || today <= day ? undefined : { expected: `a day up to ${what}`, limit: day, met: today };
const isNoDay = (day: Day | null | undefined): day is null | undefined => day === null || day === undefined;

const DAY_RULES: readonly Rule[] = [
  {
    code: 'before_validity',
    says: 'the day is not before validity',
    broken: ({ status: { mandate }, today }) =>
      before(mandate?.validity_start_date, today, 'the first of validity'),
  },
  {
    code: 'after_validity',
    says: 'the day is not after validity',
    broken: ({ status: { mandate }, today }) =>
      after(mandate?.validity_end_date, today, 'the last of validity'),
  },
  {
    code: 'before_first_payment_date',
    says: 'the day is not before the first payment date',
    broken: (judged) => before(termsOf(judged).first_payment_date, judged.today, 'the first payment date'),
  },
  {
    code: 'after_last_payment_date',
    says: 'the day is not after the last payment date',
    broken: (judged) => after(termsOf(judged).last_payment_date, judged.today, 'the last payment date'),
  },
];

/** Of these it is certain, or possible, that money was or will be taken. */
const MAY_BE_TAKEN: ReadonlySet<PaymentOutcome> = new Set(['in_flight', 'settled', 'unresolved']);
/** Whether the money may have been taken: everything except what certainly failed or was never sent. */
export const mayBeTaken = ({ outcome = 'in_flight' }: Earlier): boolean => MAY_BE_TAKEN.has(outcome);

const LAST_RULES: readonly Rule[] = [
  {
    code: 'last_payment_needed',
    says: 'balloon terms: the request says whether it is the last payment',
    pointer: '/last_payment',
    broken: (judged) =>
      termsOf(judged).type === 'balloon' && typeof judged.order.last_payment !== 'boolean'
        ? {
            expected: 'last_payment, true or false, as balloon terms need it',
            limit: 'true or false',
            met: null,
          }
        : undefined,
  },
  {
    code: 'last_payment_not_allowed',
    says: 'other terms: the request does not say it',
    pointer: '/last_payment',
    broken: (judged) => {
      const { type } = termsOf(judged);
      const { last_payment: given } = judged.order;
      return typeof type !== 'string' || type === 'balloon' || typeof given !== 'boolean'
        ? undefined
        : { expected: `no last_payment, as ${type} terms have none`, limit: null, met: String(given) };
    },
  },
  {
    code: 'last_payment_made',
    says: 'the last payment has not been asked for, unless it failed',
    broken: ({ status: { earlier } }) =>
      earlier.some((payment) => payment.isLast === true && mayBeTaken(payment))
        ? { expected: 'an agreement whose last payment has not been asked for', limit: 1, met: 1 }
        : undefined,
  },
];

/** The amounts that fixed and balloon terms may name for this payment: what cannot be known is left to the provider. */
function amountsFor({ status, order, taken }: Case): number[] {
  const terms = status.mandate?.payment_terms ?? EMPTY;
  const { type, amount, first_payment_amount: first, last_payment_amount: last } = terms;
  if (type !== 'fixed' && type !== 'balloon') return [];
  if (type === 'balloon' && order.last_payment === true) return [last ?? amount].filter(isAmount);
  const isFirst = taken.length === 0 && !status.hasUnknownPayments;
  const isLater = status.earlier.some(({ outcome }) => outcome === 'settled');
  const regular = isFirst ? [first ?? amount] : isLater ? [amount] : [first, amount];
  // Which fixed payment is the last one no field says.
  return [...regular, ...(type === 'fixed' ? [last] : [])].filter(isAmount);
}
const isAmount = (amount: number | null | undefined): amount is number => typeof amount === 'number';

const AMOUNT_RULES: readonly Rule[] = [
  {
    code: 'amount_not_fixed',
    says: 'fixed and balloon terms: the amount is one that they may name for this payment',
    pointer: '/amount',
    broken: (judged) => {
      const allowed = amountsFor(judged);
      const { amount } = judged.order;
      const limit = allowed.join(' or ');
      return allowed.length === 0 || allowed.includes(amount)
        ? undefined
        : { expected: `${limit} cents, as agreed`, limit, met: amount };
    },
  },
  {
    code: 'amount_over_maximum',
    says: 'the amount is not over the maximum',
    pointer: '/amount',
    broken: (judged) => {
      const { max_amount: limit } = termsOf(judged);
      const { amount } = judged.order;
      return typeof limit !== 'number' || amount <= limit
        ? undefined
        : { expected: `at most ${limit} cents, as agreed`, limit, met: amount };
    },
  },
];

const COUNT_RULES: readonly Rule[] = [
  {
    code: 'too_many_in_period',
    says: 'by some reading of the period, one more may be taken in it; what is in flight counts',
    broken: (judged) => {
      const { status, today, began, taken } = judged;
      const anchors = [status.mandate?.validity_start_date, began, taken[0]];
      const allowance = allowanceOf({ terms: termsOf(judged), anchors }, taken, today);
      if (allowance === undefined || allowance.used < allowance.allowed) return undefined;
      const { period, allowed, used, freeFrom } = allowance;
      return {
        expected: `at most ${allowed} a ${period}, as agreed, with what is in flight`,
        limit: allowed,
        met: used + 1,
        passesFrom: startOfSydneyDay(freeFrom),
      };
    },
  },
  {
    code: 'creditor_needed',
    says: 'the agreement or the request names a creditor',
    pointer: '/creditor',
    broken: ({ status: { mandate }, order }) =>
      order.creditor || mandate?.creditor
        ? undefined
        : {
            expected: 'a creditor with the payment, since the agreement names none',
            limit: 'a creditor',
            met: null,
          },
  },
];

export const RULES: readonly Rule[] = [
  ...STATE_RULES,
  ...DAY_RULES,
  ...LAST_RULES,
  ...AMOUNT_RULES,
  ...COUNT_RULES,
];
