// How much a payment may be: by its terms, by its place among the payments, and by the limits of the account.
import type { Case } from './payment-case.js';
import { when, type Rule } from './rule.js';

/** None before it has settled or still may. */
const isFirst = ({ earlier }: Case): boolean => earlier.every(({ state }) => state === 'failed');

export const AMOUNT_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY19',
    broken: (it) => {
      const due = dueLast(it);
      return when(
        due !== null && it.request.amount !== due,
        `the last payment is ${due}, not ${it.request.amount}`,
      );
    },
  },
  {
    code: 'ZPPAY18',
    broken: (it) => {
      const due = dueFirst(it);
      return when(
        due !== null && it.request.amount !== due,
        `the first payment is ${due}, not ${it.request.amount}`,
      );
    },
  },
  {
    code: 'ZPPAY15',
    broken: (it) => {
      const { amount: fixed } = it.agreement.payment_terms;
      const isBound = fixed !== null && dueFirst(it) === null && dueLast(it) === null;
      return when(
        isBound && it.request.amount !== fixed,
        `amount ${it.request.amount} is not the fixed ${fixed}`,
      );
    },
  },
  {
    code: 'ZPPAY12',
    broken: ({ request: { amount }, agreement: { payment_terms: terms } }) =>
      when(
        terms.max_amount !== null && amount > terms.max_amount,
        `amount ${amount} is over max_amount ${terms.max_amount}`,
      ),
  },
];

/** A payment that is both the first and the last is taken for the last. */
function dueFirst(it: Case): number | null {
  const isMeant = isFirst(it) && dueLast(it) === null;
  return isMeant ? it.agreement.payment_terms.first_payment_amount : null;
}

function dueLast({ request, agreement }: Case): number | null {
  return request.last_payment === true ? agreement.payment_terms.last_payment_amount : null;
}

export const LIMIT_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY02',
    broken: ({ request: { amount }, limits: { payment_cents: most } }) =>
      when(most !== null && amount > most, `one payment may have ${most} cents, this one has ${amount}`),
  },
  {
    // The day is Sydney's.
    code: 'ZPPAY01',
    broken: ({ request: { amount }, submittedToday, limits: { payments_daily_cents: most } }) => {
      if (most === null) return undefined;
      const before = submittedToday();
      return when(
        before + amount > most,
        `today has ${before} of ${most} cents, without this payment of ${amount}`,
      );
    },
  },
];
