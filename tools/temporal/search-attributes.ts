// The kinds of search attribute a Temporal server knows, in the CLI's words, and how they get into a database.
import { execa } from 'execa';

export const SEARCH_ATTRIBUTE_TYPES = [
  'Keyword',
  'Text',
  'Int',
  'Double',
  'Bool',
  'Datetime',
  'KeywordList',
] as const;
export type SearchAttributeType = (typeof SEARCH_ATTRIBUTE_TYPES)[number];
export type SearchAttributes = Readonly<Record<string, SearchAttributeType>>;

export function isSearchAttributeType(value: string): value is SearchAttributeType {
  return SEARCH_ATTRIBUTE_TYPES.some((type) => type === value);
}

/** Arguments of `server start-dev`: for a namespace that it creates. One that exists it leaves as it is. */
export function searchAttributeFlags(attributes: SearchAttributes): string[] {
  return Object.entries(attributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]);
}

/** For a namespace that exists. Those it has already do no harm; a known name with another type is refused. */
export async function addSearchAttributes(
  { path, where }: { path: string; where: readonly string[] },
  attributes: SearchAttributes,
): Promise<void> {
  const named = Object.entries(attributes).flatMap(([name, type]) => ['--name', name, '--type', type]);
  if (named.length === 0) return;
  const words = ['operator', 'search-attribute', 'create', ...where, ...named];
  const result = await execa(path, words, { reject: false });
  if (result.failed) throw new Error(`Temporal does not take the search attributes: ${result.stderr}`);
}
