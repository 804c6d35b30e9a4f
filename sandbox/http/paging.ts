// Pages of lists. A PayTo list has an opaque cursor and a relative link in the body. A list of core resources
// (docs/provider.md#lists) has only the rows in the body; headers contain the page size and the next link.
import { z } from 'zod';
import { refuse, refuseInDetail, type Refusal } from './refusal.js';

const DEFAULT_PER_PAGE = 20;
const DEFAULT_CORE_PER_PAGE = 25;
const MOST_PER_PAGE = 100;

/** @param digits the number has at most this many. */
const wholeNumber = (digits: number, most: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`))
    .transform(Number)
    .pipe(z.int().min(1).max(most));
const PerPage = wholeNumber(3, MOST_PER_PAGE);
const CorePerPage = wholeNumber(9, MOST_PER_PAGE);
const PageNumber = wholeNumber(9, 999_999_999);

/** The parameters of every list, for the schema of its query. */
export const pagingParameters = {
  per_page: z.string().optional(),
  starting_after: z.string().optional(),
};

export interface PageRequest {
  path: string;
  query: Record<string, string>;
}

export interface Page<Item> {
  items: Item[];
  links: { next?: string };
}

type RefusePage = (detail: string) => Refusal;

const refusePayToPage: RefusePage = (detail) => refuseInDetail('ZPPGN00', detail);

/** @param refusePage creates the refusal of invalid parameters; 422 ZPPGN00 by default. */
export function pageOf<Item>(
  list: readonly Item[],
  keyOf: (item: Item) => string,
  asked: PageRequest,
  refusePage: RefusePage = refusePayToPage,
): Page<Item> {
  const perPage = readPerPage(asked.query['per_page'], refusePage);
  const start = startOf(list, keyOf, asked.query['starting_after'], refusePage);
  const items = list.slice(start, start + perPage);
  const last = items.at(-1);
  if (last === undefined || start + perPage >= list.length) return { items, links: {} };
  const query = new URLSearchParams({ ...asked.query, starting_after: cursor(keyOf(last)) });
  return { items, links: { next: `${asked.path}?${query.toString()}` } };
}

function readPerPage(given: string | undefined, refusePage: RefusePage): number {
  if (given === undefined) return DEFAULT_PER_PAGE;
  const parsed = PerPage.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusePage('The `per_page` param is not valid.');
}

function startOf<Item>(
  list: readonly Item[],
  keyOf: (item: Item) => string,
  after: string | undefined,
  refusePage: RefusePage,
): number {
  if (after === undefined) return 0;
  const key = Buffer.from(after, 'base64url').toString();
  const index = cursor(key) === after ? list.findIndex((item) => keyOf(item) === key) : -1;
  if (index !== -1) return index + 1;
  throw refusePage('Could not find a record for the given `starting_after` param.');
}

function cursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

/** @throws Refusal 400 for an invalid value: documented for float entries, assumed for all core lists. */
export function readCorePerPage(given: string | undefined): number {
  if (given === undefined) return DEFAULT_CORE_PER_PAGE;
  const parsed = CorePerPage.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuse(400, 'Validation Failed', `per_page must be a whole number from 1 to ${MOST_PER_PAGE}`);
}

/** Counted from 1. */
export function readPage(given: string | undefined): number {
  if (given === undefined) return 1;
  const parsed = PageNumber.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuse(400, 'Validation Failed', 'page must be a whole number of at least 1');
}

/** @param onward the query parameters of the next page that differ; undefined on the last page. */
export function pagingHeaders(
  baseUrl: string,
  { path, query }: PageRequest,
  perPage: number,
  onward: Record<string, string> | undefined,
): Record<string, string> {
  const headers = { 'Per-Page': String(perPage) };
  if (onward === undefined) return headers;
  const next = new URLSearchParams({ ...query, ...onward }).toString();
  return { ...headers, Link: `<${baseUrl}${path}?${next}>; rel="next"` };
}
