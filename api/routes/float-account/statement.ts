// The statement of a float account for one day: as JSON or CSV.
import type { Context } from 'hono';
import { z } from 'zod';
import type { MatchedFloatEntry, StoredFloatEntry } from '../../../domain/float/entries.js';
import type { Statement } from '../../../domain/float/statement.js';
import { addDays } from '../../../domain/time/calendar.js';
import { startOfSydneyDay, sydneyClock } from '../../../domain/time/sydney.js';
import type { FloatAccountsGateway } from '../../gateway/float-accounts.js';
import { contract, endpoint, json } from '../../http/contract.js';
import { prefers } from '../../http/accept.js';
import { CSV, CSV_UTF8, type CsvRow } from '../../http/csv.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { longAnswer } from '../../http/long-answers.js';
import { openCursor, sealCursor } from '../../http/paging.js';
import { PagingQuery, StatementParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { invalidParameter } from '../../http/problems/validation.js';
import { CSV_END, csvParts } from '../../http/streamed.js';
import { nextPage } from '../links.js';
import { FLOAT_ACCOUNT } from './answer.schema.js';
import { COLUMNS, CSV_AT_ONCE, OF_FLOAT_ACCOUNT, visibleRows } from './entries.js';
import { StatementAnswer, statementAnswer } from './statement.schema.js';

const stated = contract({
  ...OF_FLOAT_ACCOUNT,
  path: '/v1/float-accounts/{uid}/statements/{day}',
  operationId: 'getFloatStatement',
  tags: ['float accounts'],
  summary: 'Get the statement of a float account for one day in Sydney',
  description: `Use it to close a day in your books. The statement has the opening balance, the entries in the order of the balances page by page, and the closing balance. Book the day only once \`complete\` is true. Balances, sums and breaks are of the whole day on every page. With \`Accept: ${CSV}\`, the response has every entry. ${CSV_END}`,
  task: 'float.md#read-the-statement-of-a-day',
  request: { params: StatementParams, query: PagingQuery },
  answers: {
    200: {
      description: 'The answer has the statement with a page of its entries, or with all of them as CSV.',
      content: { ...json('', StatementAnswer).content, [CSV]: { schema: z.string() } },
    },
  },
});

export const getFloatStatement = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, sessionKeys } = dependencies;
  const { uid, day } = c.req.valid('param');
  const { cursor, per_page: limit } = c.req.valid('query');
  const { floatAccounts } = temporal;
  const purpose = `float-statement/${uid}/${day}`;
  const after = openCursor(sessionKeys, purpose, cursor);
  found(await floatAccounts.view(uid), FLOAT_ACCOUNT.what);
  const of = { from: startOfSydneyDay(day), until: startOfSydneyDay(addDays(day, 1)) };
  const statement = await floatAccounts.statement(uid, of);
  const textsOf = (entries: readonly MatchedFloatEntry[]) => withTexts(floatAccounts, uid, entries);
  if (prefers(c, CSV)) return inCsv(c, dependencies, { ...of, ...statement }, textsOf);
  const start = startAfter(statement.entries, after);
  const page = statement.entries.slice(start, start + limit);
  const hasMore = statement.entries.length > start + limit;
  const next = sealCursor(sessionKeys, purpose, hasMore ? page.at(-1)?.id : undefined);
  const data = statementAnswer({ uid, day, ...of }, statement, await textsOf(page));
  const links = nextPage(`/v1/float-accounts/${uid}/statements/${day}`, { per_page: limit }, next);
  return c.json({ data, links }, 200);
});

/** @throws ApiError `invalid_request` if the entry has expired. */
function startAfter(entries: readonly MatchedFloatEntry[], id: string | undefined): number {
  if (id === undefined) return 0;
  const index = entries.findIndex((entry) => entry.id === id);
  if (index < 0) throw invalidParameter('cursor', 'expected an entry that is still stored');
  return index + 1;
}

/** The same entries in the same order, with their texts. */
async function withTexts(
  { entries: read }: Pick<FloatAccountsGateway, 'entries'>,
  accountUid: string,
  entries: readonly MatchedFloatEntry[],
): Promise<StoredFloatEntry[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => id);
  const stored = await read({ accountUid, filter: { ids }, before: undefined, limit: ids.length });
  const byId = new Map(stored.map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Reads the texts part by part, so the number of entries does not matter. */
async function inCsv(
  c: Context<Env>,
  { log, longAnswers }: Pick<ApiDependencies, 'log' | 'longAnswers'>,
  { from, until, opening, closing, entries }: Statement & { from: string; until: string },
  textsOf: (entries: readonly MatchedFloatEntry[]) => Promise<StoredFloatEntry[]>,
) {
  const rowsFrom = async (start: number): Promise<CsvRow[]> =>
    visibleRows(c, await textsOf(entries.slice(start, start + CSV_AT_ONCE))).map((row) => ({
      ...{ type: 'entry', ...row },
    }));
  const balance = (type: string, at: string, balance_after: number | undefined): CsvRow => ({
    ...{ type, at, sydney_time: sydneyClock(at), balance_after: balance_after ?? null },
  });
  const columns = ['type', ...COLUMNS];
  async function* pages(first: CsvRow[]): AsyncGenerator<CsvRow[]> {
    yield [balance('opening', from, opening), ...first];
    for (let start = CSV_AT_ONCE; start < entries.length; start += CSV_AT_ONCE) yield await rowsFrom(start);
    yield [balance('closing', until, closing)];
  }
  return longAnswer(c, { log, limiter: longAnswers.paged, type: CSV_UTF8 }, async () =>
    csvParts(columns, pages(await rowsFrom(0))),
  );
}
