// How much a payment may be and when it may be made: by its terms, by its place among the payments, and by the limits.
import { lastPaymentMade } from '../agreements/rules.js';
import { when, type Rule } from '../http/refusal.js';
import { periodProblem, periodUse } from './periods.js';
import type { Case } from './request.js';

// How much a payment may be: by its terms, by its place among the payments, and by the limits of the account.

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

// When a payment may be made: the rules on days, all of them Sydney's. The provider documents the codes alone;
// what each day has to be is the plausible unkind reading, and stands here.
const FIXED_AMOUNT = ['fixed', 'balloon'];

/** An attempt of the right day that failed was the first: what follows may come later. */
const isFirstAttempt = ({ earlier }: Case): boolean => earlier.length === 0;

export const VALIDITY_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY07',
    broken: ({ agreement: { validity_end_date: end }, today }) =>
      when(end !== null && today > end, `the agreement was valid until ${end}, today is ${today}`),
  },
  {
    code: 'ZPPAY08',
    broken: ({ agreement: { validity_start_date: start }, today }) =>
      when(start !== null && today < start, `the agreement is valid from ${start}, today is ${today}`),
  },
];

export const DATE_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY21',
    broken: ({ earlier, agreement }) =>
      when(lastPaymentMade(earlier, agreement.uid), 'the last payment has been made or is under way'),
  },
  {
    code: 'ZPPAY13',
    broken: ({ agreement: { payment_terms: terms }, today }) =>
      when(
        terms.last_payment_date !== null && today > terms.last_payment_date,
        `last_payment_date was ${terms.last_payment_date}, today is ${today}`,
      ),
  },
  {
    // Where the amounts are fixed, so is the day of the first.
    code: 'ZPPAY14',
    broken: (it) => {
      const { first_payment_date: first, type } = it.agreement.payment_terms;
      const isBound = first !== null && FIXED_AMOUNT.includes(type) && isFirstAttempt(it);
      return when(
        isBound && it.today !== first,
        `the first payment is due on ${first}, today is ${it.today}`,
      );
    },
  },
  {
    // Where they are not, no payment comes before it.
    code: 'ZPPAY16',
    broken: ({ agreement: { payment_terms: terms }, today }) =>
      when(
        terms.first_payment_date !== null && today < terms.first_payment_date,
        `payments begin on ${terms.first_payment_date}, today is ${today}`,
      ),
  },
  {
    code: 'ZPPAY20',
    broken: ({ request, agreement: { payment_terms: terms }, today }) =>
      when(
        request.last_payment === true &&
          terms.last_payment_date !== null &&
          today !== terms.last_payment_date,
        `the last payment is due on ${terms.last_payment_date}, today is ${today}`,
      ),
  },
  {
    code: 'ZPPAY17',
    broken: ({ agreement, earlier, today }) => periodProblem(periodUse(agreement, earlier, today)),
  },
];
