// Totals of an agreement's payments per calendar period. The provider does not document when its own periods start. Pure.
import { SPANS, isRecurring, periodOf, type Day } from '../time/calendar.js';
import { PAYMENT_OUTCOMES, type PaymentOutcome } from './outcome.js';
import { sydneyDayOf } from '../time/sydney.js';
import type { Instant } from '../facts/fact.js';

interface Counted {
  amount: number;
  requestedAt: Instant;
  outcome: PaymentOutcome;
  /** Cents. */
  refunded: number;
}

interface Total {
  count: number;
  /** Cents. */
  amount: number;
}

/** Sydney days; `until` is exclusive. */
export interface PeriodTotals {
  from: Day;
  until: Day;
  totals: Record<PaymentOutcome, Total>;
  /** Refunded cents of the payments requested in this period. */
  refunded: number;
}

const NEWEST = 12;
/** A Monday, and the first day of a year. */
const FIRST_DAYS = { days: '1970-01-05', months: '1970-01-01' } as const;

/** The newest twelve periods with payments, newest first. Ad hoc terms are counted in months. */
export function totalsOf(frequency: string | null | undefined, payments: readonly Counted[]): PeriodTotals[] {
  const span = SPANS[isRecurring(frequency) ? frequency : 'monthly'];
  const anchor = 'days' in span ? FIRST_DAYS.days : FIRST_DAYS.months;
  const periods = new Map<Day, PeriodTotals>();
  for (const { amount, requestedAt, outcome, refunded } of payments) {
    const { from, next } = periodOf(sydneyDayOf(requestedAt), span, anchor);
    const period = periods.get(from) ?? { from, until: next, totals: noTotals(), refunded: 0 };
    const total = period.totals[outcome];
    total.count += 1;
    total.amount += amount;
    period.refunded += refunded;
    periods.set(from, period);
  }
  return [...periods.values()].sort((one, other) => (one.from < other.from ? 1 : -1)).slice(0, NEWEST);
}

function noTotals(): Record<PaymentOutcome, Total> {
  const none = PAYMENT_OUTCOMES.map((outcome): [PaymentOutcome, Total] => [outcome, { count: 0, amount: 0 }]);
  return Object.fromEntries(none) as Record<PaymentOutcome, Total>;
}
