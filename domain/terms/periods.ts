// How many payments a period may have, and whether it has them (docs/provider.md#limits). From when its periods are counted the provider leaves
// open: what is possible under any reading of it is left to the provider to judge. Pure.
import { SPANS, addSpans, isDay, isRecurring, periodOf } from '../time/calendar.js';
import type { Day, Span } from '../time/calendar.js';
import type { PaymentTerms } from '../agreement/mandate.js';

/** Until when, that day not included, a payment of a day uses up its period. */
type Reading = (day: Day) => Day;

/** A Saturday, Sunday and Monday in each of two weeks in a row, a first of January and a first of July: as calendars and financial years count. */
const WEEKS: readonly Day[] = [
  '1970-01-03',
  '1970-01-04',
  '1970-01-05',
  '1970-01-10',
  '1970-01-11',
  '1970-01-12',
];
const YEARS: readonly Day[] = ['1970-01-01', '1970-07-01'];

/** What is known of an agreement from when its periods may be counted. */
export interface Anchored {
  terms: PaymentTerms;
  /** The first day of validity, of the agreement, of its payments. */
  anchors: readonly (Day | null | undefined)[];
}

function readingsOf(span: Span, { terms, anchors }: Anchored): Reading[] {
  const days = [...anchors, terms.first_payment_date, ...('days' in span ? WEEKS : YEARS)].filter(isDay);
  const counted = [...new Set(days)].map(
    (anchor): Reading =>
      (day) =>
        periodOf(day, span, anchor).next,
  );
  const rolling: Reading = (day) => addSpans(day, span, 1);
  return [rolling, ...counted];
}

export interface Allowance {
  /** `month`, `fortnight`, … */
  period: string;
  allowed: number;
  /** By the reading that counts the fewest. */
  used: number;
  /** The first day on which another one is possible by some reading: today, where it is possible now. */
  freeFrom: Day;
}

/**
 * What is left of the payments that a period may have, by the reading that leaves the most; nothing where terms set no number.
 * @param payments days of those that count, oldest first.
 */
export function allowanceOf(anchored: Anchored, payments: readonly Day[], today: Day): Allowance | undefined {
  const { frequency, count } = anchored.terms;
  // What a number means where payments may come at any time is not documented.
  if (!isRecurring(frequency)) return undefined;
  const { name, ...span } = SPANS[frequency];
  const allowed = count ?? 1;
  // Older ones are of no period that any reading takes for the current one.
  const since = addSpans(today, span, -2);
  const recent = payments.filter((day) => day > since);
  const uses = readingsOf(span, anchored).map((endOf) => {
    const ends = recent.map(endOf).filter((end) => end > today);
    // Once this one counts no more, fewer are left than are allowed.
    return { used: ends.length, freeFrom: ends.at(-allowed) ?? today };
  });
  const earliest = (one: Day, other: Day): Day => (one < other ? one : other);
  return {
    period: name,
    allowed,
    used: Math.min(...uses.map(({ used }) => used)),
    freeFrom: uses.map(({ freeFrom }) => freeFrom).reduce(earliest),
  };
}
