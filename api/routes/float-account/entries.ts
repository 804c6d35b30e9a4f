// The entries of a float account, as JSON or CSV.
import type { Context } from 'hono';
import { z } from 'zod';
import type { StoredFloatEntry } from '../../../domain/float/entries.js';
import { sydneyClock } from '../../../domain/time/sydney.js';
import type { FloatEntriesRequest } from '../../../records/float-entries.js';
import { READ, contract, endpoint, json } from '../../http/contract.js';
import { prefers } from '../../http/accept.js';
import { CSV, CSV_UTF8, type CsvRow } from '../../http/csv.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { cents, instant } from '../../http/list-parameters.schema.js';
import { longAnswer } from '../../http/long-answers.js';
import { visibleTo } from '../../http/masking.js';
import { openCursor, readCursor, sealCursor, writeCursor } from '../../http/paging.js';
import { UidParams, paging } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { CSV_END, csvParts } from '../../http/streamed.js';
import { nextPage } from '../links.js';
import { FLOAT_ACCOUNT, FloatEntriesAnswer, floatEntryAnswer } from './answer.schema.js';

export const COLUMNS = [
  'at',
  'sydney_time',
  'id',
  'amount',
  'balance_after',
  'description',
  'matched',
  'payment',
  'refund',
  'case',
  'case_state',
] as const;

const FloatEntriesQuery = z.strictObject({
  from: instant('At or after this time, by the provider’s clock.'),
  until: instant('Before this time.'),
  type: z.enum(['credit', 'debit']).optional().meta({
    description: '`credit` shows only money that arrived, `debit` only money that left.',
  }),
  matched: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => (value === undefined ? undefined : value === 'true'))
    .meta({
      type: 'boolean',
      description: 'Whether a payment, a refund or the decision `matched` explains the entry.',
    }),
  amount_min: cents('At least this amount, in cents and without the sign.'),
  amount_max: cents('At most this amount, in cents and without the sign.'),
  ...paging,
});

export const OF_FLOAT_ACCOUNT = { ...READ, connection: 'float-account' } as const;

const listed = contract({
  ...OF_FLOAT_ACCOUNT,
  path: '/v1/float-accounts/{uid}/entries',
  operationId: 'listFloatEntries',
  tags: ['float accounts'],
  summary: 'List the credits and debits of a float account',
  description: `Use it to see what money arrived or left, and which payment or refund explains it. Entries come newest first. Entries of the same instant are in the order of their ids, as at the provider. With \`Accept: ${CSV}\`, the response has every matching entry. ${CSV_END}`,
  task: 'float.md#read-entries',
  request: { params: UidParams, query: FloatEntriesQuery },
  answers: {
    200: {
      description: 'The answer has a page of entries, newest first, or all of them as CSV.',
      content: { ...json('', FloatEntriesAnswer).content, [CSV]: { schema: z.string() } },
    },
  },
});

/** The last entry of a page. */
const Place = z.object({ at: z.string(), id: z.string() });
export const CSV_AT_ONCE = 500;

export const listFloatEntries = endpoint(listed, (dependencies) => async (c) => {
  const { temporal, sessionKeys } = dependencies;
  const { uid: accountUid } = c.req.valid('param');
  const { cursor, per_page: limit, matched: isMatched, ...query } = c.req.valid('query');
  const { from, until, type, amount_min: amountFrom, amount_max: amountUntil } = query;
  const purpose = `float-entries/${accountUid}`;
  const place = openCursor(sessionKeys, purpose, cursor);
  found(await temporal.floatAccounts.view(accountUid), FLOAT_ACCOUNT.what);
  const request: FloatEntriesRequest = {
    accountUid,
    filter: { from, until, type, amountFrom, amountUntil, isMatched },
    before: place === undefined ? undefined : readCursor(Place, place),
    limit: limit + 1,
  };
  if (prefers(c, CSV)) return inCsv(c, dependencies, request);
  const entries = await temporal.floatAccounts.entries(request);
  const page = entries.slice(0, limit);
  const last = entries.length > limit ? page.at(-1) : undefined;
  const next = sealCursor(sessionKeys, purpose, last && writeCursor({ at: last.at, id: last.id }));
  const requested = { ...query, matched: isMatched?.toString(), per_page: limit };
  const links = nextPage(`/v1/float-accounts/${accountUid}/entries`, requested, next);
  return c.json({ data: page.map(floatEntryAnswer), links }, 200);
});

/** Reads page by page, so the number of entries does not matter. */
async function inCsv(
  c: Context<Env>,
  {
    log,
    longAnswers,
    temporal: { floatAccounts },
  }: Pick<ApiDependencies, 'log' | 'longAnswers' | 'temporal'>,
  request: FloatEntriesRequest,
) {
  const { entries } = floatAccounts;
  const read = (before: FloatEntriesRequest['before']) => entries({ ...request, before, limit: CSV_AT_ONCE });
  async function* pages(first: StoredFloatEntry[]): AsyncGenerator<CsvRow[]> {
    yield visibleRows(c, first);
    for (let page = first; page.length === CSV_AT_ONCE;) {
      page = await read(page.at(-1));
      yield visibleRows(c, page);
    }
  }
  return longAnswer(c, { log, limiter: longAnswers.paged, type: CSV_UTF8 }, async () =>
    csvParts(COLUMNS, pages(await read(request.before))),
  );
}

export const visibleRows = (c: Context<Env>, entries: readonly StoredFloatEntry[]): CsvRow[] =>
  visibleTo(c, entries.map(floatEntryAnswer)).map((entry) => ({
    ...entry,
    sydney_time: sydneyClock(entry.at),
  }));
