// The rules for a payment under an agreement, in the order in which they are judged. Pure. We refuse what the provider documents as refused
// (docs/provider.md#agreements-creation, #limits). If its rule is ambiguous, we refuse only what every interpretation refuses.
import { isFinal } from '../agreement/lifecycle.js';
import { startOfSydneyDay } from '../time/sydney.js';
import { allowanceOf } from './periods.js';
import type { Day } from '../time/calendar.js';
import type { PaymentOrder, PaymentTerms } from '../agreement/mandate.js';
import type { PaymentOutcome } from '../payment/outcome.js';
import type { Earlier, Refusal, TermsStatus, TermsRefusalCode } from './status.js';

/** The judged payment and its circumstances. */
export interface Case {
  status: TermsStatus;
  order: PaymentOrder;
  /** In Sydney. */
  today: Day;
  /** The Sydney day on which the agreement started. */
  began: Day;
  /** Sydney days of earlier payments that were or may have been taken, oldest first. */
  taken: readonly Day[];
}

/** How a payment breaks a rule. The rule adds the rest of the refusal. */
type Broken = Pick<Refusal, 'limit' | 'met'> & { expected: string; passesFrom?: Refusal['passesFrom'] };
export interface Rule<Judged = Case> {
  code: TermsRefusalCode;
  /** The requirement, for documents. */
  says: string;
  pointer?: string;
  broken: (judged: Judged) => Broken | undefined;
}

/** The scheme suspends an agreement after the seventh failure in a row (docs/provider.md#agreements-states). */
export const MAX_CONSECUTIVE_FAILURES = 6;

/** If this rule is broken, no payment at all is possible. */
const ACTIVE: Rule<Pick<Case, 'status'>> = {
  code: 'agreement_not_active',
  says: 'the agreement is active',
  broken: ({ status: { state } }) =>
    state === 'active' ? undefined : { expected: 'an active agreement', limit: 'active', met: state },
};

/** What these rules forbid may be allowed later on the same day. */
const STATE_RULES: readonly Rule<Pick<Case, 'status'>>[] = [
  ACTIVE,
  {
    code: 'agreement_held',
    says: 'no contradiction waits for an operator',
    broken: ({ status: { isContested } }) =>
      isContested
        ? {
            expected:
              'an agreement whose state is known (the provider contradicts itself about its end, or another agreement had its uid before; an operator must resolve the flag `conflict` first)',
            limit: 'certain',
            met: 'contested',
          }
        : undefined,
  },
  {
    code: 'agreement_held',
    says: 'the state of the agreement is certain, and its terms have been read',
    broken: ({ status: { isInDoubt, mandate } }) => {
      if (!isInDoubt && mandate !== undefined) return undefined;
      const why = isInDoubt
        ? 'a notification reports that the agreement has ended or is suspended'
        : 'we have not read its terms from the provider yet';
      return {
        expected: `an agreement whose state and terms are known (${why}; we are looking it up; repeat the request later)`,
        limit: 'certain',
        met: isInDoubt ? 'in doubt' : 'unread',
      };
    },
  },
  {
    code: 'too_many_failures',
    says: 'fewer than six attempts have failed in a row, or an operator has allowed payments again',
    broken: ({ status: { consecutiveFailures } }) =>
      consecutiveFailures < MAX_CONSECUTIVE_FAILURES
        ? undefined
        : {
            expected: `fewer than ${MAX_CONSECUTIVE_FAILURES} failures in a row, because the scheme suspends an agreement at the seventh (an operator can allow payments again by resolving the flag \`consecutive_failures\`)`,
            limit: MAX_CONSECUTIVE_FAILURES,
            met: consecutiveFailures,
          },
  },
  {
    code: 'too_many_in_flight',
    says: 'failures in a row and payments in flight are fewer than six together, because each payment in flight may fail',
    broken: ({ status: { consecutiveFailures, inFlight } }) =>
      consecutiveFailures + inFlight < MAX_CONSECUTIVE_FAILURES
        ? undefined
        : {
            expected: `fewer than ${MAX_CONSECUTIVE_FAILURES} failures in a row and payments in flight together, because each payment in flight may fail (repeat the request when one has ended)`,
            limit: MAX_CONSECUTIVE_FAILURES,
            met: consecutiveFailures + inFlight,
          },
  },
];

/** Whether the agreement takes payments now, whatever its terms allow. */
export const takesPayments = (status: TermsStatus): boolean =>
  STATE_RULES.every(({ broken }) => broken({ status }) === undefined);

/** Whether a refusal with this code is temporary: the same payment may be allowed later. False once the agreement has ended. */
export const isTemporary = ({ state }: Pick<TermsStatus, 'state'>, code: string): boolean =>
  !isFinal(state) && STATE_RULES.some((rule) => rule.code === code);

const termsOf = ({ status }: Case): PaymentTerms => status.mandate?.payment_terms ?? EMPTY;
const EMPTY: PaymentTerms = {};

const before = (day: Day | null | undefined, today: Day, what: string): Broken | undefined =>
  isNoDay(day) || today >= day
    ? undefined
    : { expected: `a day not before ${what}`, limit: day, met: today, passesFrom: startOfSydneyDay(day) };
const after = (day: Day | null | undefined, today: Day, what: string): Broken | undefined =>
  isNoDay(day) || today <= day ? undefined : { expected: `a day not after ${what}`, limit: day, met: today };
const isNoDay = (day: Day | null | undefined): day is null | undefined => day === null || day === undefined;

const DAY_RULES: readonly Rule[] = [
  {
    code: 'before_validity',
    says: 'the day is not before the start of validity',
    broken: ({ status: { mandate }, today }) =>
      before(mandate?.validity_start_date, today, 'the first day of validity'),
  },
  {
    code: 'after_validity',
    says: 'the day is not after the end of validity',
    broken: ({ status: { mandate }, today }) =>
      after(mandate?.validity_end_date, today, 'the last day of validity'),
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

/** The money was taken, or may still be. */
const MAY_BE_TAKEN: ReadonlySet<PaymentOutcome> = new Set(['in_flight', 'settled', 'unresolved']);
/** Whether the money may have been taken: every outcome except a certain failure or a payment that was never sent. */
export const mayBeTaken = ({ outcome = 'in_flight' }: Earlier): boolean => MAY_BE_TAKEN.has(outcome);

const LAST_RULES: readonly Rule[] = [
  {
    code: 'last_payment_needed',
    says: 'balloon terms: the request states whether this is the last payment',
    pointer: '/last_payment',
    broken: (judged) =>
      termsOf(judged).type === 'balloon' && typeof judged.order.last_payment !== 'boolean'
        ? {
            expected: 'last_payment (true or false), which balloon terms require',
            limit: 'true or false',
            met: null,
          }
        : undefined,
  },
  {
    code: 'last_payment_not_allowed',
    says: 'other terms: the request has no last_payment',
    pointer: '/last_payment',
    broken: (judged) => {
      const { type } = termsOf(judged);
      const { last_payment: given } = judged.order;
      return typeof type !== 'string' || type === 'balloon' || typeof given !== 'boolean'
        ? undefined
        : { expected: `no last_payment, which ${type} terms do not allow`, limit: null, met: String(given) };
    },
  },
  {
    code: 'last_payment_made',
    says: 'the last payment has not been requested yet, unless it failed',
    broken: ({ status: { earlier } }) =>
      earlier.some((payment) => payment.isLast === true && mayBeTaken(payment))
        ? { expected: 'an agreement whose last payment has not been requested', limit: 1, met: 1 }
        : undefined,
  },
];

/** The amounts that fixed and balloon terms allow for this payment; empty if only the provider can judge. */
function amountsFor({ status, order, taken }: Case): number[] {
  const terms = status.mandate?.payment_terms ?? EMPTY;
  const { type, amount, first_payment_amount: first, last_payment_amount: last } = terms;
  if (type !== 'fixed' && type !== 'balloon') return [];
  if (type === 'balloon' && order.last_payment === true) return [last ?? amount].filter(isAmount);
  const isFirst = taken.length === 0 && !status.hasUnknownPayments;
  const isLater = status.earlier.some(({ outcome }) => outcome === 'settled');
  const regular = isFirst ? [first ?? amount] : isLater ? [amount] : [first, amount];
  // No field shows which fixed payment is the last one.
  return [...regular, ...(type === 'fixed' ? [last] : [])].filter(isAmount);
}
const isAmount = (amount: number | null | undefined): amount is number => typeof amount === 'number';

const AMOUNT_RULES: readonly Rule[] = [
  {
    code: 'amount_not_fixed',
    says: 'fixed and balloon terms: the amount is one that the terms allow for this payment',
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
    says: 'at least one interpretation of the period allows another payment; payments in flight count',
    broken: (judged) => {
      const { status, today, began, taken } = judged;
      const anchors = [status.mandate?.validity_start_date, began, taken[0]];
      const allowance = allowanceOf({ terms: termsOf(judged), anchors }, taken, today);
      if (allowance === undefined || allowance.used < allowance.allowed) return undefined;
      const { period, allowed, used, freeFrom } = allowance;
      return {
        expected: `at most ${allowed} per ${period}, as agreed, including payments in flight`,
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
            expected: 'a creditor in the payment, because the agreement names none',
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
