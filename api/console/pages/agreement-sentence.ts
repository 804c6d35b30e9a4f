// An agreement in sentences.
import type { Agreement, Periods } from '../answers.js';
import { dayInWords, dollars, sentenceOf, sydneyDay } from '../format.js';

const EVERY: Readonly<Record<string, string>> = {
  daily: 'a day',
  weekly: 'a week',
  fortnightly: 'a fortnight',
  monthly: 'a month',
  quarterly: 'a quarter',
  semi_annual: 'half a year',
  annual: 'a year',
};
const NAMES: Readonly<Record<string, string>> = { debtor: 'the payer', initiator: 'you' };

/** Such as `Active since 3 March 2026: up to $250.00 each, one payment a month, until cancelled.` */
export function sentenceFor(agreement: Agreement): string {
  const { state, state_since: since, state_caused_by: by } = agreement;
  const who = by === null ? '' : ` by ${NAMES[by] ?? by}`;
  const from = sydneyDay(since);
  const until = agreement.validity_end_date;
  const end = until == null ? 'until cancelled' : `until ${dayInWords(until)}`;
  switch (state) {
    case 'active':
      return `Active since ${from}: ${termsIn(agreement)}, ${end}.`;
    case 'suspended':
      return `Suspended${who} since ${from}: no payments until it is reactivated. Its terms: ${termsIn(agreement)}, ${end}.`;
    case 'pending':
      return `Requested on ${from}. The provider has not accepted it yet. It would allow ${termsIn(agreement)}, ${end}.`;
    case 'created':
      return `Waits for the payer since ${from}. It would allow ${termsIn(agreement)}, ${end}.`;
    default:
      return `${sentenceOf(state)}${who} on ${from}. It allows no payments.`;
  }
}

/** Such as `up to $250.00 each, one payment a month`. */
function termsIn({ payment_terms: terms }: Agreement): string {
  if (terms == null) return 'terms that the provider has not shown yet';
  const each =
    terms.amount != null
      ? `${dollars(terms.amount)} each`
      : terms.max_amount != null
        ? `up to ${dollars(terms.max_amount)} each`
        : 'any amount';
  const every = EVERY[terms.frequency ?? ''];
  if (every === undefined) return `${each}, whenever a payment is requested`;
  const count = terms.count ?? 1;
  return `${each}, ${count === 1 ? 'one payment' : `${count} payments`} ${every}`;
}

/** What was used in the current period, and what is left of it. Undefined without payments in it. */
export function usedIn(
  { payment_terms: terms }: Agreement,
  periods: Periods['periods'],
  today: string,
): string | undefined {
  const period = periods.find(({ from, until }) => from <= today && today < until);
  const limit = EVERY[terms?.frequency ?? ''] === undefined ? undefined : (terms?.count ?? 1);
  if (period === undefined)
    return limit === undefined ? undefined : `Nothing is used in this period. ${limit} of ${limit} left.`;
  const { settled, in_flight: open, from, until } = period;
  const used = settled.count + open.count;
  const span = `${dayInWords(from)} until before ${dayInWords(until)}`;
  const taken = `In this period: ${dollars(settled.amount)} settled and ${dollars(open.amount)} in flight, in ${used === 1 ? '1 payment' : `${used} payments`} (${span}).`;
  return limit === undefined ? taken : `${taken} ${Math.max(limit - used, 0)} of ${limit} left.`;
}
