// What the days in a request must be when it is sent: by Sydney days, as the provider counts (docs/provider.md#conventions). A rule is a row.
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { valueAt } from './fault.js';
import type { RequestFault } from './fault.js';

const START = 'validity_start_date';
const END = 'validity_end_date';
const FIRST = 'payment_terms.first_payment_date';
const LAST = 'payment_terms.last_payment_date';

interface DateRules {
  /** Days that must not be over. */
  notPast: readonly string[];
  /** Of each two days the first must not be before the second. */
  notBefore: readonly (readonly [later: string, earlier: string])[];
}

/** ZPAGR04, 06 to 11; the start date is never amended. The provider refuses other dates of an amendment by no code of its own. */
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

/** Instants by which the payer is asked to decide: not over when they are sent (ZPAGR03, ZPAMN07). */
const DECIDED_BY = 'resolution_requested_before';

/** The days of this request that are over, or before one that they must follow. */
export function dateFaults(operation: string, request: object, now: Date): RequestFault[] {
  const { notPast, notBefore } = RULES[operation] ?? { notPast: [], notBefore: [] };
  const today = sydneyDayOf(now.toISOString());
  const past = notPast.filter((field) => isBefore(dayAt(request, field), today));
  const misordered = notBefore.filter(([later, earlier]) =>
    isBefore(dayAt(request, later), dayAt(request, earlier)),
  );
  return [
    ...past.map((field) => faultAt(field, 'past', 'expected a day that is not over in Sydney')),
    ...misordered.map(([later, earlier]) => faultAt(later, 'order', `expected no day before ${earlier}`)),
    ...(operation in RULES ? instantFaults(request, now) : []),
  ];
}

function instantFaults(request: object, now: Date): RequestFault[] {
  const isAutomatic = valueAt(request, ['cancel_if_unresolved']) != null;
  const by = valueAt(request, [DECIDED_BY]);
  if (by == null && isAutomatic)
    return [
      faultAt(DECIDED_BY, 'missing', 'expected an instant, since there is a cancel_if_unresolved (ZPAGR17)'),
    ];
  if (typeof by !== 'string' || !(Date.parse(by) < now.getTime())) return [];
  return [faultAt(DECIDED_BY, 'past', 'expected an instant that is not over')];
}

const isBefore = (day: string | undefined, other: string | undefined): boolean =>
  day !== undefined && other !== undefined && day < other;

/** What is no day is the schema's to refuse. */
function dayAt(request: object, field: string): string | undefined {
  const day = valueAt(request, field.split('.'));
  return typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
}

const faultAt = (field: string, code: string, detail: string): RequestFault => ({
  path: field.split('.'),
  code,
  detail,
});
