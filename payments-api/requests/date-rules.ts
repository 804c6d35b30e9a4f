// Rules for the dates in a request at the time of sending, in Sydney days like the provider's (docs/provider.md#conventions). One row per rule.
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { valueAt, type RequestFault } from './fault.js';

const START = 'validity_start_date';
const END = 'validity_end_date';
const FIRST = 'payment_terms.first_payment_date';
const LAST = 'payment_terms.last_payment_date';

interface DateRules {
  /** Days that must be today or later. */
  notPast: readonly string[];
  /** Pairs of days in which the first must not be before the second. */
  notBefore: readonly (readonly [later: string, earlier: string])[];
}

/** ZPAGR04, 06 to 11. The start date cannot be amended. The provider has no code for the other dates of an amendment. */
const RULES: Readonly<Record<string, DateRules>> = {
  createAgreement: {
    notPast: [START, END, FIRST, LAST],
    notBefore: [
      [END, START],
      [FIRST, START],
      [END, LAST],
      [LAST, FIRST],
    ],
  },
  proposeAmendment: { notPast: [`changes.${END}`], notBefore: [[`changes.${END}`, `changes.${LAST}`]] },
};

/** The deadline for the payer's decision: it must be in the future when sent (ZPAGR03, ZPAMN07). */
const DECIDED_BY = 'resolution_requested_before';

/** The dates of this request that are in the past or in the wrong order. */
export function dateFaults(operation: string, request: object, now: Date): RequestFault[] {
  const { notPast, notBefore } = RULES[operation] ?? { notPast: [], notBefore: [] };
  const today = sydneyDayOf(now.toISOString());
  const past = notPast.filter((field) => isBefore(dayAt(request, field), today));
  const misordered = notBefore.filter(([later, earlier]) =>
    isBefore(dayAt(request, later), dayAt(request, earlier)),
  );
  return [
    ...past.map((field) => faultAt(field, 'past', 'expected today in Sydney or a later day')),
    ...misordered.map(([later, earlier]) => faultAt(later, 'order', `expected a day not before ${earlier}`)),
    ...(operation in RULES ? instantFaults(request, now) : []),
  ];
}

function instantFaults(request: object, now: Date): RequestFault[] {
  const isAutomatic = valueAt(request, ['cancel_if_unresolved']) != null;
  const by = valueAt(request, [DECIDED_BY]);
  if (by == null && isAutomatic)
    return [
      faultAt(DECIDED_BY, 'missing', 'expected an instant, because cancel_if_unresolved is set (ZPAGR17)'),
    ];
  if (typeof by !== 'string' || !(Date.parse(by) < now.getTime())) return [];
  return [faultAt(DECIDED_BY, 'past', 'expected a future instant')];
}

const isBefore = (day: string | undefined, other: string | undefined): boolean =>
  day !== undefined && other !== undefined && day < other;

/** Undefined if it is not a day, which the schema refuses. */
function dayAt(request: object, field: string): string | undefined {
  const day = valueAt(request, field.split('.'));
  return typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
}

const faultAt = (field: string, code: string, detail: string): RequestFault => ({
  path: field.split('.'),
  code,
  detail,
});
