// Paged lists (docs/provider.md#lists). PayTo lists name the next page in `links.next`, core lists in a `Link` header.
import { malformed } from './judge.js';
import { nextIn } from './headers.js';
import { WirePage } from '../answers/wire.schema.js';
import type { AnswerHeaders } from './transport.js';
import type { Question } from './send.js';

/** The first request of a list, and the reader of one entry. Unreadable entries are skipped. */
export interface PagedOperation<Item> extends Question {
  readItem: (item: unknown) => Item | undefined;
  /** Where a page names the next one. The default is the body, which is also the fallback if there is no header. */
  next?: 'body' | 'link-header' | undefined;
}

/** The judged JSON of a page, and its headers. */
export interface Page {
  json: unknown;
  headers: AnswerHeaders;
}

/** Longer than any cursor. The provider would refuse a longer one. */
const MAX_ADDRESS = 4096;
/** Ten times the documented page size (docs/provider.md#lists). 1 MiB could hold a third of a million tiny entries. */
const MAX_ENTRIES = 1000;

export interface ListPage<Item> {
  items: Item[];
  /** The number of unreadable entries, which were skipped. */
  unreadable: number;
  /** The query for the next page of the same list. Absent on the last page. */
  next: string | undefined;
}

/**
 * Fetches one page. It uses only the query of the next page's address; path and host stay ours. So an answer cannot send us and
 * our token to another address, and a base URL with a path works.
 * @param ask sends one request and returns its judged JSON.
 * @throws PaymentsApiError `malformed` for an answer that is not a page, or a next page on another host.
 */
export async function onePage<Item>(
  operation: PagedOperation<Item>,
  baseUrl: string,
  ask: (question: Question) => Promise<Page>,
): Promise<ListPage<Item>> {
  const { name, method, path, query = '', body, readItem, next: place = 'body' } = operation;
  const { json, headers } = await ask({ name, method, path, query, body });
  const page = WirePage.safeParse(json);
  if (!page.success || page.data.data.length > MAX_ENTRIES) {
    throw malformed(name, `a page with at most ${MAX_ENTRIES} entries as data`, 'something else');
  }
  const items = page.data.data.flatMap((item) => readItem(item) ?? []);
  const linked = place === 'link-header' ? linkedFrom(name, headers) : undefined;
  const next = linked ?? page.data.links?.next;
  const hasNext = typeof next === 'string' && next !== '';
  return {
    items,
    unreadable: page.data.data.length - items.length,
    next: hasNext ? queryOf(name, next, `${baseUrl}${path}`) : undefined,
  };
}

/**
 * The entries of every page, fetched on demand.
 * @throws PaymentsApiError as `onePage`, and `malformed` if the pages form a loop.
 */
export async function* pages<Item>(
  operation: PagedOperation<Item>,
  baseUrl: string,
  ask: (question: Question) => Promise<Page>,
): AsyncGenerator<Item[], void, undefined> {
  const requested = new Set<string>();
  for (let query = operation.query ?? ''; ;) {
    requested.add(query);
    const { items: entries, next } = await onePage({ ...operation, query }, baseUrl, ask);
    yield entries;
    if (next === undefined) return;
    if (requested.has(next)) throw malformed(operation.name, 'pages that end', 'an earlier page again');
    query = next;
  }
}

function linkedFrom(operation: string, headers: AnswerHeaders): string | undefined {
  const read = nextIn(headers.get('link'));
  if (read === undefined) throw malformed(operation, 'a Link header as in RFC 8288', 'another');
  return read.target;
}

function queryOf(operation: string, next: string, here: string): string {
  const own = new URL(here);
  const url = next.length <= MAX_ADDRESS && URL.canParse(next, here) ? new URL(next, here) : undefined;
  // The scheme may differ: behind a proxy the provider may not know that TLS is in use.
  if (url?.host === own.host) return url.search.slice(1);
  throw malformed(operation, `a next page (links.next, or by Link) on ${own.host}`, 'another address');
}

/** Every entry of a list, its pages fetched on demand. */
export async function* items<Item>(listed: AsyncIterable<Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const page of listed) for (const item of page) yield item; // `yield*` takes three times as long.
}

/** All entries of the first `maxPages` pages. */
export async function upTo<Item>(maxPages: number, listed: AsyncIterable<Item[]>): Promise<Item[]> {
  const gathered: Item[] = [];
  let pagesRead = 0;
  for await (const page of listed) {
    gathered.push(...page);
    if (++pagesRead === maxPages) break;
  }
  return gathered;
}
