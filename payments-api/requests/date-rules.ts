// What a day in a request must not be when it is sent: by Sydney days, as the provider counts (docs/provider.md#conventions). A rule is a row.
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { valueAt } from './fault.js';
import type { RequestFault } from './fault.js';

/** Days that must not be over (ZPAGR08). */
const NOT_PAST: Readonly<Record<string, readonly string[]>> = {
  createAgreement: ['validity_end_date'],
  proposeAmendment: ['changes.validity_end_date'],
};

/** The days of this request that are over. */
export function dateFaults(operation: string, request: object, now: Date): RequestFault[] {
  const today = sydneyDayOf(now.toISOString());
  return (NOT_PAST[operation] ?? []).flatMap((field) => {
    const path = field.split('.');
    const day = valueAt(request, path);
    const isPast = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && day < today;
    return isPast ? [{ path, code: 'past', detail: 'expected a day that is not over in Sydney' }] : [];
  });
}
