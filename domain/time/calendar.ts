// Calendar days as `YYYY-MM-DD`, without a time zone: arithmetic, and the periods of payment terms. Pure.
import type { FREQUENCIES } from '../provider/lists.js';

/** `YYYY-MM-DD`, so that days sort as text. */
export type Day = string;

const DAY_MS = 24 * 60 * 60 * 1000;

const utc = (day: Day): number => Date.parse(`${day}T00:00:00.000Z`);
const dayAt = (utcMs: number): Day => new Date(utcMs).toISOString().slice(0, '2026-01-01'.length);

export const isDay = (value: string | null | undefined): value is Day =>
  typeof value === 'string' && !Number.isNaN(utc(value)) && dayAt(utc(value)) === value;

/** @param count days; negative for earlier ones. */
export const addDays = (day: Day, count: number): Day => dayAt(utc(day) + count * DAY_MS);

/** The same day of the month, `count` months later, or the last day of a shorter month. */
function addMonths(day: Day, count: number): Day {
  const from = new Date(utc(day));
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + count];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month, Math.min(from.getUTCDate(), last)));
}

/** Whole days; negative if `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number => Math.round((utc(to) - utc(from)) / DAY_MS);

function monthsBetween(from: Day, to: Day): number {
  const [start, end] = [new Date(utc(from)), new Date(utc(to))];
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

/** The length of a period, in days or in months. */
export type Span = { days: number } | { months: number };

export type Recurring = Exclude<(typeof FREQUENCIES)[number], 'adhoc'>;

export const SPANS: Readonly<Record<Recurring, Span & { name: string }>> = {
  daily: { days: 1, name: 'day' },
  weekly: { days: 7, name: 'week' },
  fortnightly: { days: 14, name: 'fortnight' },
  monthly: { months: 1, name: 'month' },
  quarterly: { months: 3, name: 'quarter' },
  semi_annual: { months: 6, name: 'half-year' },
  annual: { months: 12, name: 'year' },
};

export const isRecurring = (frequency: string | null | undefined): frequency is Recurring =>
  typeof frequency === 'string' && Object.hasOwn(SPANS, frequency);

/** Adds `count` spans to the day; a negative count subtracts. */
export const addSpans = (day: Day, span: Span, count: number): Day =>
  'days' in span ? addDays(day, span.days * count) : addMonths(day, span.months * count);

/** The first day of the period that contains the day, and of the next period. Periods are counted from the anchor. */
export function periodOf(day: Day, span: Span, anchor: Day): { from: Day; next: Day } {
  const passed =
    'days' in span ? daysBetween(anchor, day) / span.days : monthsBetween(anchor, day) / span.months;
  const whole = Math.floor(passed);
  // In the month of `day`, the anchor's day of the month may be still to come.
  const index = addSpans(anchor, span, whole) > day ? whole - 1 : whole;
  return { from: addSpans(anchor, span, index), next: addSpans(anchor, span, index + 1) };
}
