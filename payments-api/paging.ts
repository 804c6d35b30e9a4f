// Lists, page by page, by the `links.next` of each (facts 6).
import { malformed } from './judge.js';
import { WirePage } from './wire.schema.js';
import type { Question } from './http.js';

/** A list's first question and the reading of one entry; what cannot be read is left out. */
export interface PagedOperation<Item> extends Question {
  readItem: (item: unknown) => Item | undefined;
}

/**
 * Every page's entries, asked for as they are wanted. Of `links.next` only the query is taken: path and host stay
 * ours, so an answer cannot send us (and our token) elsewhere, and a base URL with a path of its own works.
 * @param ask puts one question and brings its judged JSON.
 * @throws PaymentsApiError `malformed` for a page that is none, a next page on another host, or pages in a circle.
 */
export async function* pages<Item>(
  operation: PagedOperation<Item>,
  baseUrl: string,
  ask: (question: Question) => Promise<unknown>,
): AsyncGenerator<Item[], void, undefined> {
  const asked = new Set<string>();
  let query = operation.query ?? '';
  for (;;) {
    asked.add(query);
    const page = WirePage.safeParse(await ask({ ...operation, query }));
    if (!page.success) throw malformed(operation.name, 'a page with a list as data', 'something else');
    yield page.data.data.flatMap((item) => operation.readItem(item) ?? []);

    const next = page.data.links?.next;
    if (typeof next !== 'string') return;
    query = queryOf(operation.name, next, `${baseUrl}${operation.path}`);
    if (asked.has(query)) throw malformed(operation.name, 'pages that end', 'a page that was there before');
  }
}

function queryOf(operation: string, next: string, here: string): string {
  const ours = new URL(here);
  const url = URL.canParse(next, here) ? new URL(next, here) : undefined;
  // The scheme may differ: behind a proxy the provider may not know that it is spoken to over TLS.
  if (url?.host === ours.host) return url.search.slice(1);
  throw malformed(operation, `links.next on ${ours.host}`, 'another address');
}

/** Every entry of a list, its pages asked for as they are reached. */
export async function* items<Item>(listed: AsyncIterable<Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const page of listed) yield* page;
}

/** The entries of the first pages, all at once. */
export async function upTo<Item>(maxPages: number, listed: AsyncIterable<Item[]>): Promise<Item[]> {
  const gathered: Item[] = [];
  let pagesSeen = 0;
  for await (const page of listed) {
    gathered.push(...page);
    if (++pagesSeen === maxPages) break;
  }
  return gathered;
}
