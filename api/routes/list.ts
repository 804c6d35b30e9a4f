// Shared parts of the list endpoints.
import type { ListPage } from '../gateway/temporal/lists.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { openCursor, sealCursor } from '../http/paging.js';
import { nextPage } from './links.js';

export const LIST = { method: 'get', access: 'read', connection: 'query', problems: [503] } as const;
export const ONE_PAGE = 'A page, newest first.';

type ListRequest = { cursor?: string | undefined } & Readonly<Record<string, string | number | undefined>>;

export async function answerOf<Query extends ListRequest, Item, Answer>(
  { keyring, temporalUi }: ApiDependencies,
  list: 'agreements' | 'payments' | 'refunds' | 'clients' | 'counterparties' | 'onboardings',
  { cursor, ...query }: Query,
  {
    read,
    answer,
  }: {
    read: (cursor: string | undefined) => Promise<ListPage<Item>>;
    answer: (ui: ApiDependencies['temporalUi'], item: Item) => Answer;
  },
) {
  const page = await read(openCursor(keyring, list, cursor));
  return {
    data: page.items.map((item) => answer(temporalUi, item)),
    links: nextPage(`/v1/${list}`, query, sealCursor(keyring, list, page.next)),
  };
}
