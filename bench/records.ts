// `npm run bench:records`: the CPU of storing changes; then lists of 200,000 agreements, 400 waiting requests and the pages of the console, all answered
// from the records. Then the answers that finance reads, of a month of 10,000 payments a day. Last, every filter on a million payments. Exits with 1 above a limit; lists of
// agreements have none. The argument `changes`, `lists`, `books` or `million` selects a part. A real PostgreSQL and a real API process
// run. For the lists Temporal is away: every request to it is counted, and would fail.
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { connectionOf } from '../records/pool.js';
import { openRecords } from '../records/database.js';
import { createReader } from '../records/read.js';
import { judge, percentile } from './figures.js';
import { measurePages } from './records/pages.js';
import { storedChanges } from './records/changes.js';
import { measureBooks } from './records/books.js';
import { FILLED, fillMillion } from './records/million.js';
import { readerFigures } from './records/readers.js';
import { CONNECTION, fillAgreements, isWaiting, uidOf } from './records/fill.js';
import { bringUpRecords, type RecordsStack } from './records/stack.js';
import type { RowsRequest } from '../records/lists.js';
import type { Tables } from '../records/tables.js';

const AGREEMENTS = 200_000;
const PER_PAGE = 100;
const PAGES = 100;
const WAITS = 400;
const WAIT_SECONDS = 20;
const FILL_MS = 300_000;

/** Each list is read from its start and continued by its cursor. */
const LISTS: Readonly<Record<string, { filter: RowsRequest['filter']; query: string }>> = {
  'all, newest first': { filter: {}, query: '' },
  'in a state': { filter: { states: ['created'] }, query: '&state=created' },
  'of a connection': { filter: { connection: CONNECTION }, query: `&connection=${CONNECTION}` },
};

const Page = z.object({ data: z.array(z.unknown()), links: z.object({ next: z.string() }) });

const only = process.argv.slice(2);
const isSelected = (part: 'changes' | 'lists' | 'books' | 'million'): boolean =>
  only.length === 0 || only.includes(part);
const stack = await bringUpRecords();
try {
  if (isSelected('changes')) for (const figure of await storedChanges(stack, console.log)) judge(figure);
  if (isSelected('lists')) await measureLists(stack);
  if (isSelected('books')) await measureBooks(stack);
  if (isSelected('million')) await measureMillion(stack);
} finally {
  await stack.close();
}

async function measureMillion({ settings, keyring }: RecordsStack): Promise<void> {
  const { db, close } = openRecords(settings, FILL_MS);
  await sql`truncate ${sql.join(FILLED.map((table) => sql.table(table)))}`.execute(db);
  await fillMillion({ db, keyring }, console.log);
  await close();
  await readerFigures(settings, keyring, judge);
}

async function measureLists(on: RecordsStack): Promise<void> {
  const { db, close } = openRecords(on.settings, FILL_MS);
  await fillAgreements({ db, keyring: on.keyring }, AGREEMENTS, console.log);
  await close();
  for (const [what, { filter, query }] of Object.entries(LISTS)) {
    const sqlMs = await timesOfSql(on, filter);
    const apiMs = await timesOfApi(on, query);
    judge({ what: `list ${what}, page of ${PER_PAGE}: SQL ms p95`, met: percentile(sqlMs, 95) });
    judge({ what: `list ${what}, page of ${PER_PAGE}: API ms p95`, met: percentile(apiMs, 95) });
  }
  judge({ what: 'lists: requests to Temporal', met: on.temporalRequests() });
  await measureWaits(on);
  await measurePages(on);
}

/** Milliseconds of each statement, with its round trip. */
async function timesOfSql(
  { settings, keyring }: RecordsStack,
  filter: RowsRequest['filter'],
): Promise<number[]> {
  const times: number[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool(connectionOf(settings)) }),
    log: ({ queryDurationMillis }) => void times.push(queryDurationMillis),
  });
  const { list } = createReader({ db, keyring });
  let after: RowsRequest['after'];
  for (let page = 0; page < PAGES; page += 1) {
    const sort = { by: 'created', isDescending: true } as const;
    ({ next: after } = await list('agreement', { filter, sort, after, limit: PER_PAGE }));
  }
  await db.destroy();
  return times;
}

/** Milliseconds of each request. */
async function timesOfApi({ get }: RecordsStack, query: string): Promise<number[]> {
  const times: number[] = [];
  let path = `/v1/agreements?per_page=${PER_PAGE}${query}`;
  for (let page = 0; page < PAGES; page += 1) {
    const startedAt = performance.now();
    const { data, links } = Page.parse(await get(path));
    times.push(performance.now() - startedAt);
    if (data.length !== PER_PAGE) throw new Error(`expected ${PER_PAGE} agreements; received ${data.length}`);
    path = links.next;
  }
  return times;
}

/** CPU of the API process while many callers wait, above the same time without them. */
async function measureWaits({ get, apiCpuMs, temporalRequests }: RecordsStack): Promise<void> {
  console.log(`  … ${2 * WAIT_SECONDS} s: idle, then ${WAITS} waits`);
  const before = await apiCpuMs();
  await delay(WAIT_SECONDS * 1000);
  const idle = (await apiCpuMs()) - before;
  const requested = temporalRequests();
  const uids = Array.from({ length: WAITS * 10 }, (_, index) => index)
    .filter(isWaiting)
    .map(uidOf);
  await Promise.all(uids.map((uid) => get(`/v1/agreements/${uid}?wait=${WAIT_SECONDS}`)));
  const waiting = (await apiCpuMs()) - before - idle;
  judge({ what: `${WAITS} waits of ${WAIT_SECONDS} s: CPU ms of the API above idle`, met: waiting - idle });
  judge({ what: `${WAIT_SECONDS} s idle: CPU ms of the API`, met: idle });
  judge({
    what: `${WAITS} waits of ${WAIT_SECONDS} s: requests to Temporal`,
    met: temporalRequests() - requested,
  });
}
