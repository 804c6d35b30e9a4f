// Lists, page by page, each naming the next (docs/provider.md#lists): PayTo in `links.next`, core lists in a `Link` header.
import { malformed } from './judge.js';
import { nextIn } from './headers.js';
import { WirePage } from '../answers/wire.schema.js';
import type { AnswerHeaders } from './transport.js';
import type { Question } from './send.js';

/** A list's first question and the reading of one entry; what cannot be read is left out. */
export interface PagedOperation<Item> extends Question {
  readItem: (item: unknown) => Item | undefined;
  /** Where a page names the next one: in its body unless this names the header, and there too where no header does. */
  next?: 'body' | 'link-header' | undefined;
}

/** The judged JSON of a page, and the headers that came with it. */
export interface Page {
  json: unknown;
  headers: AnswerHeaders;
}

/** Longer than any cursor: what is longer would only be refused, and weigh on us until then. */
const MAX_ADDRESS = 4096;
/** Ten times what a page may hold (docs/provider.md#lists). 1 MiB of the shortest entries is a third of a million. */
const MAX_ENTRIES = 1000;

/** One page as it was read. */
export interface ListPage<Item> {
  items: Item[];
  /** How many entries could not be read, and were left out. */
  unreadable: number;
  /** Where the next page begins: the query to ask the same list with. Absent on the last page. */
  next: string | undefined;
}

/**
 * One page. Of the next one's address only the query is taken: path and host stay ours, so an answer cannot send us (and
 * our token) elsewhere, and a base URL with a path of its own works.
 * @param ask puts one question and brings its judged JSON.
 * @throws PaymentsApiError `malformed` for a page that is none, or a next page on another host.
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
 * Every page's entries, asked for as they are wanted.
 * @throws PaymentsApiError as `onePage` does, and `malformed` for pages in a circle.
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
    if (requested.has(next))
      throw malformed(operation.name, 'pages that end', 'a page that was there before');
    query = next;
  }
}

function linkedFrom(operation: string, headers: AnswerHeaders): string | undefined {
  const read = nextIn(headers.get('link'));
  if (read === undefined) throw malformed(operation, 'a Link header as RFC 8288 has it', 'another');
  return read.target;
}

function queryOf(operation: string, next: string, here: string): string {
  const own = new URL(here);
  const url = next.length <= MAX_ADDRESS && URL.canParse(next, here) ? new URL(next, here) : undefined;
  // The scheme may differ: behind a proxy the provider may not know that it is spoken to over TLS.
  if (url?.host === own.host) return url.search.slice(1);
  throw malformed(operation, `a next page (links.next, or by Link) on ${own.host}`, 'another address');
}

/** Every entry of a list, its pages asked for as they are reached. */
export async function* items<Item>(listed: AsyncIterable<Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const page of listed) for (const item of page) yield item; // yield* takes three times as long
}

/** The entries of the first pages, all at once. */
export async function upTo<Item>(maxPages: number, listed: AsyncIterable<Item[]>): Promise<Item[]> {
  const gathered: Item[] = [];
  let pagesRead = 0;
  for await (const page of listed) {
    gathered.push(...page);
    if (++pagesRead === maxPages) break;
  }
  return gathered;
}
