// Whether a period allows another payment (docs/provider.md#limits). The provider does not document when its periods start. We refuse only what
// every possible interpretation refuses; the provider judges the rest. Pure.
import { SPANS, addSpans, isDay, isRecurring, periodOf, type Day, type Span } from '../time/calendar.js';
import type { PaymentTerms } from '../agreement/mandate.js';

/** An interpretation of periods: the first day after the period that a payment uses up. */
type Reading = (day: Day) => Day;

/** Possible starts: Saturday, Sunday and Monday of two successive weeks, 1 January (calendar year) and 1 July (financial year). */
const WEEKS: readonly Day[] = [
  '1970-01-03',
  '1970-01-04',
  '1970-01-05',
  '1970-01-10',
  '1970-01-11',
  '1970-01-12',
];
const YEARS: readonly Day[] = ['1970-01-01', '1970-07-01'];

/** The facts that may determine when the periods start. */
export interface Anchored {
  terms: PaymentTerms;
  /** The first days of validity, of the agreement, and of its payments. */
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
  /** Payments used, by the most lenient interpretation. */
  used: number;
  /** The first day that allows another payment by some interpretation: today, if it is allowed now. */
  freeFrom: Day;
}

/**
 * The allowance of the current period, by the most lenient interpretation; undefined if the terms set no number.
 * @param payments days of the payments that count, oldest first.
 */
export function allowanceOf(anchored: Anchored, payments: readonly Day[], today: Day): Allowance | undefined {
  const { frequency, count } = anchored.terms;
  // It is not documented what a count means for ad hoc terms.
  if (!isRecurring(frequency)) return undefined;
  const { name, ...span } = SPANS[frequency];
  const allowed = count ?? 1;
  // No interpretation counts older payments in the current period.
  const since = addSpans(today, span, -2);
  const recent = payments.filter((day) => day > since);
  const uses = readingsOf(span, anchored).map((endOf) => {
    const ends = recent.map(endOf).filter((end) => end > today);
    // Once this payment no longer counts, fewer than the allowed number are left.
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
