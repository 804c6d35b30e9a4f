// What every list of PayTo may be narrowed by: the days of creation, as days in Sydney, both included (docs/provider.md#lists).
// Entries of float accounts are narrowed by instants instead (sandbox/float-accounts/routes.ts).
import { Day } from '../http/wire.schema.js';
import { sydneyDay } from './sydney.js';

/** The parameters, to be spread into the schema of a list's query. */
export const createdDaysParameters = {
  min_created_date: Day.optional(),
  max_created_date: Day.optional(),
};

export interface CreatedDays {
  min_created_date?: string | undefined;
  max_created_date?: string | undefined;
}

/** Whether something created at that time (RFC 3339) was created on one of those days. */
export function isCreatedWithin(
  created_at: string,
  { min_created_date, max_created_date }: CreatedDays,
): boolean {
  if (min_created_date === undefined && max_created_date === undefined) return true;
  const day = sydneyDay(Date.parse(created_at));
  return day >= (min_created_date ?? day) && day <= (max_created_date ?? day);
}
