// When a payment may be made: the rules on days, all of them Sydney's. Interface and facts give the codes alone;
// what each day has to be is the plausible unkind reading, and stands here.
import { lastPaymentMade } from './last-payment.js';
import { periodProblem, periodUse } from './period-use.js';
import type { Case } from './payment-case.js';
import { when, type Rule } from './rule.js';

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
