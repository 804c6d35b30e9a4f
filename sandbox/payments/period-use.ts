// How many payments of the period an agreement has used up. One that failed has used nothing; one that is unfinished
// or under investigation has (facts 8.2). A payment tried again stays in the period in which it was first asked for.
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Payment } from './payment.schema.js';
import { periodStart } from './period.js';
import { sydneyDay } from '../time/sydney.js';

export interface PeriodUse {
  used: number;
  allowed: number;
  /** The first day of the period; null: the agreement's whole life. */
  since: string | null;
}

/**
 * Without `count` one payment is allowed, or any number where the frequency is adhoc. What `count` means to adhoc is
 * not documented: here, that many in the life of the agreement.
 * @param payments those under this agreement.
 * @param day the day in Sydney whose period is meant.
 */
export function periodUse(agreement: Agreement, payments: readonly Payment[], day: string): PeriodUse {
  const { frequency, count } = agreement.payment_terms;
  const anchor = anchorOf(agreement);
  const since = periodStart(frequency, anchor, day);
  const used = payments.filter(
    ({ state, created_at }) =>
      state !== 'failed' && periodStart(frequency, anchor, sydneyDay(Date.parse(created_at))) === since,
  );
  return { used: used.length, allowed: count ?? (since === null ? Infinity : 1), since };
}

/** Where the periods are counted from. */
function anchorOf({ payment_terms: terms, validity_start_date: start, created_at }: Agreement): string {
  return terms.first_payment_date ?? start ?? sydneyDay(Date.parse(created_at));
}

/** What is wrong with one payment more, or undefined when nothing is. */
export function periodProblem(use: PeriodUse): string | undefined {
  const { used, allowed, since } = use;
  if (used < allowed) return undefined;
  return `${used} of ${allowed} payments were made ${since === null ? 'in all' : `in the period from ${since}`}`;
}
