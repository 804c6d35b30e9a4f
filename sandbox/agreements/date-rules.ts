// What must hold between the days of an agreement, at its creation and of what an amendment changes.
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import { sydneyDay } from '../time/sydney.js';

const DATE_FIELDS = [
  'validity_start_date',
  'validity_end_date',
  'first_payment_date',
  'last_payment_date',
] as const;
export type DateField = (typeof DATE_FIELDS)[number];

/** Days as YYYY-MM-DD, in Sydney (facts 1). */
export type Dates = { uid: string } & Record<DateField, string | null>;

interface Rule {
  code: ErrorCode;
  detail: string;
  about: readonly DateField[];
  isBroken: (dates: Dates, today: string) => boolean;
}

const isBefore = (a: string | null, b: string | null): boolean => a !== null && b !== null && a < b;

const isPast = (code: ErrorCode, field: DateField): Rule => ({
  code,
  detail: `${field} is past`,
  about: [field],
  isBroken: (dates, today) => isBefore(dates[field], today),
});

const isReversed = (code: ErrorCode, first: DateField, then: DateField): Rule => ({
  code,
  detail: `${then} is before ${first}`,
  about: [first, then],
  isBroken: (dates) => isBefore(dates[then], dates[first]),
});

/** ZPAGR08 says "end too early": that an end before the payments it must cover is meant too is our reading. */
const RULES: readonly Rule[] = [
  isPast('ZPAGR04', 'validity_start_date'),
  isReversed('ZPAGR06', 'validity_start_date', 'validity_end_date'),
  isPast('ZPAGR08', 'validity_end_date'),
  isReversed('ZPAGR07', 'validity_start_date', 'first_payment_date'),
  isPast('ZPAGR09', 'first_payment_date'),
  isPast('ZPAGR10', 'last_payment_date'),
  isReversed('ZPAGR11', 'first_payment_date', 'last_payment_date'),
  isReversed('ZPAGR08', 'first_payment_date', 'validity_end_date'),
  isReversed('ZPAGR08', 'last_payment_date', 'validity_end_date'),
];

/**
 * @param changed those that are new: an agreement that has begun is not refused for the start it had.
 * @throws Refusal: 422 with the code of the first rule that is broken.
 */
export function checkDates(dates: Dates, nowMs: number, changed: readonly DateField[] = DATE_FIELDS): void {
  const today = sydneyDay(nowMs);
  const broken = RULES.find(
    ({ about, isBroken }) => about.some((field) => changed.includes(field)) && isBroken(dates, today),
  );
  if (broken !== undefined) throw refuseByCode(broken.code, broken.detail, dates.uid);
}

export const isDateField = (field: string): field is DateField =>
  DATE_FIELDS.some((known) => known === field);
