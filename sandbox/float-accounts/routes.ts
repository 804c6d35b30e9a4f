// The operations on float accounts.
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import { pagingHeaders, readCorePerPage, readPage } from '../http/paging.js';
import { parseOrRefuse, Refusal, refuse, refuseInASentence } from '../http/refusal.js';
import type { FloatEntry } from '../store/float-account.schema.js';
import { CoreInstant } from '../time/sydney.js';
import {
  findFloatAccount,
  formatFloatAccount,
  entriesOf,
  keptSince,
  formatFloatEntry,
  findFloatEntry,
} from './accounts.js';
import { INCOMING_ROUTES } from './incoming.js';

const AccountsQuery = z.strictObject({ page: z.string().optional(), per_page: z.string().optional() });

const listFloatAccounts = operation(
  { name: 'list_float_accounts', method: 'GET', path: '/bank_accounts', scope: 'bank_accounts' },
  ({ path, query }, engine) => {
    const request = parseOrRefuse(AccountsQuery, query, 400);
    const [page, perPage] = [readPage(request.page), readCorePerPage(request.per_page)];
    const all = [...engine.store.floatAccounts.values()];
    const data = all.slice((page - 1) * perPage, page * perPage).map(formatFloatAccount);
    const onward = page * perPage < all.length ? { page: String(page + 1) } : undefined;
    const headers = pagingHeaders(engine.settings.baseUrl, { path, query }, perPage, onward);
    return { status: 200, body: { data }, headers };
  },
);

const getFloatAccount = operation(
  { name: 'get_float_account', method: 'GET', path: '/bank_accounts/:id', scope: 'bank_accounts' },
  ({ uid }, engine) => ({
    status: 200,
    body: { data: formatFloatAccount(findFloatAccount(engine, uid)) },
  }),
);

const DEFAULT_PER_PAGE = 20;
const MOST_PER_PAGE = 100;

const Query = z.strictObject({
  per_page: z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .default(DEFAULT_PER_PAGE),
  starting_after: z.string().optional(),
  min_created_date: CoreInstant.optional(),
  max_created_date: CoreInstant.optional(),
});
type Query = z.output<typeof Query>;

// GET /bank_accounts/{id}/entries: newest first. Headers contain the page size and the next link (docs/provider.md#lists).
const listFloatEntries = operation(
  { name: 'list_float_entries', method: 'GET', path: '/bank_accounts/:id/entries', scope: 'bank_accounts' },
  ({ uid, path, query }, engine) => {
    const account = findFloatAccount(engine, uid);
    const asked = readQuery(query, keptSince(engine));
    const all = entriesOf(engine, account);
    const wanted = all.slice(startOf(all, asked.starting_after)).filter((entry) => isWanted(entry, asked));
    const page = wanted.slice(0, asked.per_page);
    const last = page.at(-1);
    const isEnd = last === undefined || wanted.length === page.length;
    const { baseUrl } = engine.settings;
    return {
      status: 200,
      body: { data: page.map((entry) => formatFloatEntry(entry, baseUrl)) },
      headers: {
        'Per-Page': String(asked.per_page),
        ...(isEnd ? {} : { Link: linkTo(`${baseUrl}${path}`, { ...query, starting_after: last.id }) }),
      },
    };
  },
);

function linkTo(url: string, query: Record<string, string>): string {
  return `<${url}?${new URLSearchParams(query).toString()}>; rel="next"`;
}

/** A malformed value is 400, as documented for `per_page`. A well-formed value out of range is 422. */
function readQuery(query: Record<string, string>, keptSinceMs: number): Query {
  const parsed = Query.safeParse(query);
  if (!parsed.success) {
    const details = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'query'}: ${message}`,
    );
    throw new Refusal(
      400,
      details.map((detail) => ({ title: 'Validation Failed', detail })),
    );
  }
  const { per_page, min_created_date: min, max_created_date: max } = parsed.data;
  if (per_page < 1 || per_page > MOST_PER_PAGE) {
    throw refuseInASentence(422, `per_page must be from 1 to ${MOST_PER_PAGE}`);
  }
  for (const [name, at] of Object.entries({ min_created_date: min, max_created_date: max })) {
    if (at === undefined || at >= keptSinceMs) continue;
    const detail = `${name} must not be earlier than the start of the 24-month availability window`;
    throw refuse(422, 'Validation Failed', detail);
  }
  return parsed.data;
}

function startOf(entries: readonly FloatEntry[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = entries.findIndex(({ id }) => id === after);
  if (index !== -1) return index + 1;
  throw refuseInASentence(422, 'starting_after must be the id of an entry of this account');
}

function isWanted(
  { created_at }: FloatEntry,
  { min_created_date: min, max_created_date: max }: Query,
): boolean {
  const at = Date.parse(created_at);
  return at >= (min ?? -Infinity) && at <= (max ?? Infinity);
}

const getFloatEntry = operation(
  {
    name: 'get_float_entry',
    method: 'GET',
    path: '/bank_accounts/:id/entries/:entry_id',
    scope: 'bank_accounts',
  },
  ({ uid, params }, engine) => {
    const entry = findFloatEntry(engine, findFloatAccount(engine, uid), params['entry_id'] ?? '');
    return { status: 200, body: { data: formatFloatEntry(entry, engine.settings.baseUrl) } };
  },
);

export const FLOAT_ROUTES: readonly Registration[] = [
  listFloatAccounts,
  getFloatAccount,
  listFloatEntries,
  getFloatEntry,
  ...INCOMING_ROUTES,
];
