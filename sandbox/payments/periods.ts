// The periods of an agreement, and how many payments of a period are used up.
import type { Agreement } from '../store/agreement.schema.js';
import type { Payment } from '../store/payment.schema.js';
import { sydneyDay } from '../time/sydney.js';

// The periods of an agreement (docs/provider.md#agreements-creation, #limits). Days are Sydney days as YYYY-MM-DD.
// The start of a period is not documented. Here, the first starts on the anchor day, and each later one a fixed number of days or
// months after it: on the anchor's day of the month, or on the last day of a shorter month.
const DAYS: Partial<Record<string, number>> = { daily: 1, weekly: 7, fortnightly: 14 };
const MONTHS: Partial<Record<string, number>> = { monthly: 1, quarterly: 3, semi_annual: 6, annual: 12 };
const DAY_MS = 24 * 60 * 60_000;

/** The first day of the period that contains `day`. Null if all time is one period (`adhoc`). */
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

/** Calculates in UTC, so that daylight saving does not change the length of a day. */
const utc = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** Months since year 0. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

function plusMonths(day: string, months: number): string {
  const month = monthOf(day) + months;
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0));
  const date = Math.min(Number(day.slice(8)), last.getUTCDate());
  return `${dayOf(last.getTime()).slice(0, 7)}-${String(date).padStart(2, '0')}`;
}

// How many payments of a period are used up. A failed payment does not count; an unfinished one or one under investigation does
// (docs/provider.md#payments-states). A retried payment stays in the period of its creation.
export interface PeriodUse {
  used: number;
  allowed: number;
  /** The first day of the period. Null is the agreement's whole life. */
  since: string | null;
}

/**
 * Without `count`, one payment per period is allowed, or any number if the frequency is adhoc. The meaning of `count` for adhoc is not
 * documented; here it limits the whole life of the agreement.
 * @param payments the payments of this agreement.
 * @param day a Sydney day in the period.
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

/** The first day of the first period. */
function anchorOf({ payment_terms: terms, validity_start_date: start, created_at }: Agreement): string {
  return terms.first_payment_date ?? start ?? sydneyDay(Date.parse(created_at));
}

/** Whether the period allows no further payment. */
export const isUsedUp = ({ used, allowed }: PeriodUse): boolean => used >= allowed;
