import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../records/migrations/all.js';
import { columnsOf } from '../../records/columns.js';
import { openRecords } from '../../records/database.js';
import { isFeedValid } from '../../records/feed-order.js';
import { markRestored } from '../../records/incomplete.js';
import { placeOf, readFeed, type Place } from '../../records/feed.js';
import { refill } from '../../records/refill.js';
import { schemaProblem } from '../../records/schema-version.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { tableOf } from '../../records/tables.js';
import { createRecords } from '../../records/write.js';
import { RESOURCE_NAMES } from '../../domain/resources.js';
import { aDatabase, aMissingDatabase, type Database, anOpenWrite, NEXT } from '../support/database.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { NOWHERE, migrate } from '../support/records.js';
import { KEYRING, eventually } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

const writer = ({ application: { db } }: Database) => createRecords({ db, keyring: KEYRING });
const uidsIn = async ({ application: { db } }: Database, after?: Place) =>
  (await readFeed(db, { after, limit: 100 })).map(({ uid, kind }) => `${uid} ${kind}`);

const POLLED = { timeout: 10_000 };

test('migrations can run twice and at the same time', async () => {
  const { adminUrl, url, application } = aMissingDatabase();
  await Promise.all([migrate(adminUrl, url), migrate(adminUrl, url), migrate(adminUrl, url)]);
  expect(await schemaProblem(application.db)).toBeUndefined();
});

test.each(RESOURCE_NAMES)(
  'the table of %s has exactly the columns that are taken from a view',
  async (resource) => {
    const { application } = await aDatabase();
    const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = ${tableOf(resource)}
  `.execute(application.db);
    const ours = [
      'uid',
      'workflow_id',
      'connection_id',
      'version',
      'follows',
      'task_follows',
      'run_id',
      'updated_at',
      'changed_era',
      'changed_transaction',
      'search_tags',
      'key_id',
      'sealed',
      ...['identity', 'carried', 'carried_key_id', 'carried_version', 'erased_at'],
    ];
    const taken = Object.keys(columnsOf(resource, {}));
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([...ours, ...taken]));
  },
);

test('the next release starts only after its migration, which keeps what is stored', async () => {
  const database = await aDatabase();
  const { adminUrl, url, application } = database;
  const batch = aPaymentBatch();
  await writer(database).write(batch);
  const next = { ...MIGRATIONS, ...NEXT };
  expect(await schemaProblem(application.db, next)).toMatch(
    /found one without 9001-next. Run npm run migrate/,
  );
  await migrate(adminUrl, url, next);
  expect(await schemaProblem(application.db, next)).toBeUndefined();
  await expect.poll(() => uidsIn(database), POLLED).toEqual([`${batch.uid} fact`, `${batch.uid} view`]);
  const row = await application.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ uid: batch.uid, version: 2, state: 'settled', note: '' });
});

test('the database of a build before the first release is refused, unchanged', async () => {
  const { adminUrl, url, owner, application } = await aDatabase();
  await sql`update kysely_migration set name = '0001-entries'`.execute(owner.db);
  const problem = /found that of a build before the first release, .* Start with an empty database/;
  expect(await schemaProblem(application.db)).toMatch(problem);
  await expect(migrate(adminUrl, url)).rejects.toThrow(problem);
  const { rows } = await sql`select name from kysely_migration`.execute(owner.db);
  expect(rows).toEqual([{ name: '0001-entries' }]);
});

test('a newer schema is accepted if it works with this release, and its indexes are built', async () => {
  const { adminUrl, url, application } = await aDatabase();
  const printed: string[] = [];
  const migrateTo = (oldest: string, name: string) =>
    migrate(adminUrl, url, { ...MIGRATIONS, ...NEXT, [name]: { up, oldest } }, (line) => printed.push(line));
  const up = () => Promise.resolve();
  await Promise.all([migrateTo('0001-baseline', '9002-later'), migrateTo('0001-baseline', '9002-later')]);
  expect(printed).toContainEqual(expect.stringMatching(/^built the index payments_note in \d+\.\d s$/));
  expect(printed.filter((line) => line.startsWith('built'))).toHaveLength(1);
  expect(await schemaProblem(application.db)).toBeUndefined();
  await migrate(adminUrl, url, MIGRATIONS, (line) => printed.push(line));
  expect(printed.at(-1)).toMatch(/^nothing to do: .* with 9001-next, 9002-later$/);

  const after = { ...MIGRATIONS, ...NEXT, '9002-later': { up, oldest: '0001-baseline' } };
  await migrate(adminUrl, url, { ...after, '9003-last': { up, oldest: '9002-later' } });
  expect(await schemaProblem(application.db)).toMatch(/only from schema 9002-later on. Start a release with/);
});

test('no database, or a refused login, is reported with what to do', async () => {
  const { url } = await aDatabase();
  const missing = openRecords(recordsUrl.parse(url.replace(/records_\w+/, 'nothing')));
  onTestFinished(() => missing.close());
  expect(await schemaProblem(missing.db)).toMatch(/found none. Run npm run migrate/);
  const stranger = openRecords(recordsUrl.parse(inject('recordsUrl').replace(':tests@', ':wrong@')));
  onTestFinished(() => stranger.close());
  expect(await schemaProblem(stranger.db)).toMatch(/expected a user and password/);
  const nowhere = openRecords(recordsUrl.parse(NOWHERE));
  onTestFinished(() => nowhere.close());
  await expect(schemaProblem(nowhere.db)).rejects.toThrow();
});

test('a feed misses no entry of a transaction that commits after a later one', async () => {
  const database = await aDatabase();
  const [first, second] = [aPaymentBatch({ uid: 'first' }), aPaymentBatch({ uid: 'second' })];
  let commit: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (commit = resolve));
  let began: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (began = resolve));
  const slow = database.application.db.transaction().execute(async (transaction) => {
    await createRecords({ db: transaction, keyring: KEYRING }).write(first);
    began();
    await isOpen;
  });
  await hasBegun;
  await writer(database).write(second);
  expect(await uidsIn(database)).toEqual([]);
  commit();
  await slow;
  await expect
    .poll(() => uidsIn(database), POLLED)
    .toEqual(['first fact', 'first view', 'second fact', 'second view']);
});

test('after a restored dump, a new era continues the feed and earlier places stay valid', async () => {
  const database = await aDatabase();
  await writer(database).write(aPaymentBatch({ uid: 'old' }));
  const [before] = await eventually(
    () => readFeed(database.application.db, { limit: 1 }),
    ({ length }) => length === 1,
  );
  await sql`update entries set transaction = '4000000000000'`.execute(database.owner.db);
  expect(await isFeedValid(database.application.db)).toBe(false);
  expect(await schemaProblem(database.application.db)).toMatch(/records -- restored/);
  expect(await markRestored(database.owner.db)).toBe(2);
  expect(await schemaProblem(database.application.db)).toBeUndefined();
  await writer(database).write(aPaymentBatch({ uid: 'new' }));
  if (before === undefined) throw new Error('expected an entry');
  const after = placeOf({ ...before, transaction: '4000000000000' });
  await expect.poll(() => uidsIn(database, after), POLLED).toEqual(['old view', 'new fact', 'new view']);
});

test('records that lost entries and rows get them from the workflows, once', async () => {
  const database = await aDatabase();
  const { db } = database.application;
  const lost = aPaymentBatch({ entries: [anEntry(1), anEntry(2, { factId: 'event-2' })] });
  const known = aPaymentBatch();
  await writer(database).write(known);
  const again = { ...known, entries: [anEntry(77, { factId: 'event-1' })] };
  const newer = { ...known, row: { ...known.row, version: 9, view: aPaymentView({ state: 'failed' }) } };
  const run = async (...batches: (RecordBatch | undefined)[]) => {
    async function* each() {
      for (const batch of batches) yield await Promise.resolve(batch);
    }
    return refill({ db, keyring: KEYRING, isApplied: true, batches: each(), onProgress: () => undefined });
  };
  expect(await run(lost, again, undefined)).toMatchObject({ workflows: 3, rows: 1, facts: 2, unanswered: 1 });
  expect(await run(lost, newer)).toMatchObject({ workflows: 2, rows: 1, facts: 0, unanswered: 0 });
  expect(await run(lost, newer)).toMatchObject({ workflows: 2, rows: 0, facts: 0, unanswered: 0 });
});

test('a migration behind a dump blocks nobody, and is done after it', async () => {
  const { owner, application, adminUrl, url } = await aDatabase();
  const dump = await anOpenWrite(owner.db, (db) => sql`lock table payments in access share mode`.execute(db));
  const printed: string[] = [];
  const migrated = migrate(adminUrl, url, { ...MIGRATIONS, ...NEXT }, (line) => printed.push(line));
  await expect
    .poll(() => printed, { timeout: 10_000 })
    .toContainEqual(expect.stringMatching(/^waiting for a table/));
  const { rows } = await sql`select 1 from payments limit 1`.execute(application.db);
  expect(rows).toEqual([]);
  await dump();
  await migrated;
  expect(printed).toContain('migrated 9001-next');
});
