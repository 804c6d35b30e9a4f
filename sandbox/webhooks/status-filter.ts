// The filter `response_status_code` (interface 4.5): codes, ranges `<low>-<high>` and `null`, separated by commas.
import { z } from 'zod';

const ITEM = /^(?:null|(?<low>\d{3})(?:-(?<high>\d{3}))?)$/;

type Range = { low: number; high: number } | null;

/** What was asked for; null stands for deliveries without a response. */
export const StatusFilter = z
  .string()
  .transform((list) => list.split(',').map(rangeOf))
  .refine((items) => items.every((item) => item !== undefined), {
    error: 'each item must be a status code, a range such as 500-599, or null',
  })
  .transform((items) => items.filter((item) => item !== undefined));
export type StatusFilter = z.output<typeof StatusFilter>;

function rangeOf(item: string): Range | undefined {
  const match = ITEM.exec(item);
  if (match === null) return undefined;
  const { low, high = low } = match.groups ?? {};
  if (low === undefined) return null;
  const range = { low: Number(low), high: Number(high) };
  return range.low <= range.high ? range : undefined;
}

export function hasStatus(code: number | null, filter: StatusFilter): boolean {
  return filter.some((item) =>
    item === null ? code === null : code !== null && code >= item.low && code <= item.high,
  );
}
