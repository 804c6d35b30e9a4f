// Filters of ours, written as the provider's query (facts 6): snake_case, lists with commas, ranges with a hyphen.
import { checked } from './requests/body.js';
import type { ZodType } from 'zod';

type Item = string | number | null | { from: number; to: number };
type Filter = Readonly<Record<string, string | number | readonly Item[] | undefined>>;

/**
 * The query of a list; empty where nothing narrows it.
 * @throws PaymentsApiError `rejected`, naming the filters that the provider does not document.
 */
export function queryOf<Narrowed extends Filter>(
  operation: string,
  schema: ZodType<Narrowed>,
  filter: Narrowed,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries<Filter[string]>(checked(operation, schema, filter))) {
    const written = [value ?? []].flat().map(itemOf).join(',');
    if (written !== '') query.set(providersName(key), written);
  }
  return query.toString();
}

const providersName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function itemOf(item: Item): string {
  return typeof item === 'object' && item !== null ? `${item.from}-${item.to}` : String(item);
}
