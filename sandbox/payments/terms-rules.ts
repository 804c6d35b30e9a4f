// The amount and date rules for a payment: the agreement's terms, the earlier payments, and the account's limits.
import { lastPaymentMade } from '../agreements/rules.js';
import type { Rule } from '../http/refusal.js';
import { isUsedUp, periodUse } from './periods.js';
import type { Case } from './request.js';

/** True if all earlier payments have failed. */
const isFirst = ({ earlier }: Case): boolean => earlier.every(({ state }) => state === 'failed');

export const AMOUNT_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY19',
    broken: (it) => {
      const due = dueLast(it);
      return due !== null && it.request.amount !== due;
    },
  },
  {
    code: 'ZPPAY18',
    broken: (it) => {
      const due = dueFirst(it);
      return due !== null && it.request.amount !== due;
    },
  },
  {
    code: 'ZPPAY15',
    broken: (it) => {
      const { amount: fixed } = it.agreement.payment_terms;
      const isBound = fixed !== null && dueFirst(it) === null && dueLast(it) === null;
      return isBound && it.request.amount !== fixed;
    },
  },
  {
    code: 'ZPPAY12',
    broken: ({ request: { amount }, agreement: { payment_terms: terms } }) =>
      terms.max_amount !== null && amount > terms.max_amount,
  },
];

/** A payment that is both the first and the last counts as the last. */
function dueFirst(it: Case): number | null {
  const isMeant = isFirst(it) && dueLast(it) === null;
  return isMeant ? it.agreement.payment_terms.first_payment_amount : null;
}

function dueLast({ request, agreement }: Case): number | null {
  return request.last_payment === true ? agreement.payment_terms.last_payment_amount : null;
}

/** Formats an amount like the provider: $1,000.00. */
const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' });

export const LIMIT_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY02',
    text: ({ request: { amount }, limits: { payment_cents: most } }) =>
      most !== null && amount > most
        ? `The amount is higher than your current per-transaction limit of ${dollars(most)}`
        : undefined,
  },
  {
    // Days are Sydney days.
    code: 'ZPPAY01',
    text: ({ request: { amount }, submittedToday, limits: { payments_daily_cents: most } }) =>
      most !== null && submittedToday() + amount > most
        ? `This Payment would cause you to exceed your current daily limit of ${dollars(most)}`
        : undefined,
  },
];

// The date rules. All days are Sydney days. The provider documents only the codes, so each rule implements the strictest plausible
// reading.
const FIXED_AMOUNT = ['fixed', 'balloon'];

/** A failed attempt on the right day also counts as the first, so later payments may follow on other days. */
const isFirstAttempt = ({ earlier }: Case): boolean => earlier.length === 0;

export const VALIDITY_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY07',
    broken: ({ agreement: { validity_end_date: end }, today }) => end !== null && today > end,
  },
  {
    code: 'ZPPAY08',
    broken: ({ agreement: { validity_start_date: start }, today }) => start !== null && today < start,
  },
];

export const DATE_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY21',
    broken: ({ earlier, agreement }) => lastPaymentMade(earlier, agreement.uid),
  },
  {
    code: 'ZPPAY13',
    broken: ({ agreement: { payment_terms: terms }, today }) =>
      terms.last_payment_date !== null && today > terms.last_payment_date,
  },
  {
    // If the amounts are fixed, the date of the first payment is fixed too.
    code: 'ZPPAY14',
    broken: (it) => {
      const { first_payment_date: first, type } = it.agreement.payment_terms;
      const isBound = first !== null && FIXED_AMOUNT.includes(type) && isFirstAttempt(it);
      return isBound && it.today !== first;
    },
  },
  {
    // Otherwise, no payment may be earlier than this date.
    code: 'ZPPAY16',
    broken: ({ agreement: { payment_terms: terms }, today }) =>
      terms.first_payment_date !== null && today < terms.first_payment_date,
  },
  {
    code: 'ZPPAY20',
    broken: ({ request, agreement: { payment_terms: terms }, today }) =>
      request.last_payment === true && terms.last_payment_date !== null && today !== terms.last_payment_date,
  },
  {
    code: 'ZPPAY17',
    broken: ({ agreement, earlier, today }) => isUsedUp(periodUse(agreement, earlier, today)),
  },
];
