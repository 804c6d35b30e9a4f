// The date filter of PayTo lists: Sydney days of creation, both inclusive (docs/provider.md#lists). Entries of float accounts are
// filtered by instants instead (sandbox/float-accounts/routes.ts).
import { Day } from '../http/wire.schema.js';
import { sydneyDay } from './sydney.js';

/** The parameters, for the schema of a list's query. */
export const createdDaysParameters = {
  min_created_date: Day.optional(),
  max_created_date: Day.optional(),
};

export interface CreatedDays {
  min_created_date?: string | undefined;
  max_created_date?: string | undefined;
}

/** True if the time (RFC 3339) is within these days. */
export function isCreatedWithin(
  created_at: string,
  { min_created_date, max_created_date }: CreatedDays,
): boolean {
  if (min_created_date === undefined && max_created_date === undefined) return true;
  const day = sydneyDay(Date.parse(created_at));
  return day >= (min_created_date ?? day) && day <= (max_created_date ?? day);
}
