// The periods in which an agreement's payments are counted, and how many payments of one are used up.
import type { Agreement } from '../store/agreement.schema.js';
import type { Payment } from '../store/payment.schema.js';
import { sydneyDay } from '../time/sydney.js';

// The periods in which an agreement's payments are counted (docs/provider.md#agreements-creation, #limits). Pure; days are Sydney's, as YYYY-MM-DD.
// Where a period begins is not documented. Here the first begins on the anchor day, and each following one as many
// days or months later: on the anchor's day of the month, or the last of a month that has no such day.
const DAYS: Partial<Record<string, number>> = { daily: 1, weekly: 7, fortnightly: 14 };
const MONTHS: Partial<Record<string, number>> = { monthly: 1, quarterly: 3, semi_annual: 6, annual: 12 };
const DAY_MS = 24 * 60 * 60_000;

/** The first day of the period in which that day lies; null where all of time is one period (`adhoc`). */
export function periodStart(frequency: string, anchor: string, day: string): string | null {
  const days = DAYS[frequency];
  if (days !== undefined) return inDays(anchor, day, days);
  const months = MONTHS[frequency];
  return months === undefined ? null : inMonths(anchor, day, months);
}

function inDays(anchor: string, day: string, length: number): string {
  const periods = Math.floor((utc(day) - utc(anchor)) / DAY_MS / length);
  return dayOf(utc(anchor) + periods * length * DAY_MS);
}

function inMonths(anchor: string, day: string, length: number): string {
  const periods = Math.floor((monthOf(day) - monthOf(anchor)) / length);
  const start = plusMonths(anchor, periods * length);
  return start <= day ? start : plusMonths(anchor, (periods - 1) * length);
}

/** Days are reckoned as if the clocks never changed: a day of 23 hours is a day. */
const utc = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** Counted from year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

function plusMonths(day: string, months: number): string {
  const month = monthOf(day) + months;
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0));
  const date = Math.min(Number(day.slice(8)), last.getUTCDate());
  return `${dayOf(last.getTime()).slice(0, 7)}-${String(date).padStart(2, '0')}`;
}

// How many payments of the period an agreement has used up. One that failed has used nothing; one that is unfinished
// or under investigation has (docs/provider.md#payments-states). A payment tried again stays in the period in which it was first asked for.
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

/** Whether one payment more would be too many. */
export const isUsedUp = ({ used, allowed }: PeriodUse): boolean => used >= allowed;
