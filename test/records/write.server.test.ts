import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openEntry, openRow } from '../../records/sealed.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { opened } from '../support/opened-records.js';
import { KEYRING } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

function records() {
  const { db } = opened(inject('recordsUrl'));
  const rowOf = ({ uid }: RecordBatch) =>
    db.selectFrom('payments').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
  const entriesOf = ({ workflowId }: RecordBatch) =>
    db.selectFrom('entries').selectAll().where('workflow_id', '=', workflowId).orderBy('position').execute();
  return { db, rowOf, entriesOf, ...createRecords({ db, keyring: KEYRING }) };
}

test('a batch is stored once as entries and a row with clear columns', async () => {
  const { write, rowOf, entriesOf } = records();
  const view = aPaymentView({ stateSinceSource: 'lookup' });
  const batch = aPaymentBatch({ row: { version: 2, at: '', view } });
  await write(batch);
  await write(batch);
  const row = await rowOf(batch);
  expect(row).toMatchObject({
    ...{ connection_id: 'acme', version: 2, state: 'settled', awaiting: 'nothing', attention: [] },
    ...{ agreement_uid: 'agr-1', amount: 4200, refunded_amount: 1200, submissions: 1 },
    ...{ settled_at: new Date('2026-11-01T02:03:04.000Z'), state_since_source: 'lookup' },
  });
  expect(openRow(KEYRING, 'payments', batch.uid, row)).toEqual(batch.row.view);
  const entries = await entriesOf(batch);
  expect(entries.map(({ kind, sequence }) => [kind, sequence])).toEqual([
    ['fact', 1],
    ['view', 2],
  ]);
  const [fact] = entries;
  if (fact === undefined) throw new Error('expected an entry');
  const id = { workflowId: batch.workflowId, sequence: 1, kind: 'fact' };
  expect(openEntry(KEYRING, id, fact)).toEqual(batch.entries[0]?.data);
});

test('a fact that is stored again under a later sequence is stored once, and its authenticated copy too', async () => {
  const { write, entriesOf } = records();
  const factOf = (sequence: number, authenticated: boolean) =>
    anEntry(sequence, { factId: 'evt-1', data: { authenticated } });
  const batch = aPaymentBatch({ entries: [factOf(1, false), factOf(2, true)] });
  await write(batch);
  await write({ ...batch, entries: [factOf(11, false), factOf(12, true), anEntry(13, { factId: 'evt-2' })] });
  const facts = (await entriesOf(batch)).filter(({ kind }) => kind === 'fact');
  expect(facts.map(({ sequence }) => sequence)).toEqual([1, 2, 13]);
});

test('an older row never replaces a newer one, and its entries are stored', async () => {
  const { write, rowOf, entriesOf } = records();
  const newer = aPaymentBatch({ entries: [anEntry(5)], row: { version: 6, at: '', view: aPaymentView() } });
  const older = {
    ...newer,
    entries: [anEntry(1)],
    row: { ...newer.row, version: 2, view: { state: 'created' } },
  };
  await write(newer);
  await write(older);
  expect(await rowOf(newer)).toMatchObject({ version: 6, state: 'settled' });
  expect((await entriesOf(newer)).map(({ sequence }) => sequence)).toEqual([5, 6, 1, 2]);
});

test.each([{ state: 'x'.repeat(999) }, { state: 7, attention: 'none', order: [], awaiting: null }, [], {}])(
  'a view of an unexpected form is stored: %j',
  async (view) => {
    const { write, rowOf } = records();
    const batch = aPaymentBatch({ row: { version: 2, at: 'never', view } });
    await write({ ...batch, entries: [anEntry(1, { name: '\u0000', factId: 'a b', at: '+' })] });
    const row = await rowOf(batch);
    expect(row.state).toBe('unreadable');
    expect(openRow(KEYRING, 'payments', batch.uid, row)).toEqual(view);
  },
);

test('a sealed row opens in no other row', async () => {
  const { write, rowOf } = records();
  const batch = aPaymentBatch();
  await write(batch);
  const row = await rowOf(batch);
  expect(() => openRow(KEYRING, 'payments', 'another', row)).toThrow('belongs elsewhere');
  expect(() => openRow(KEYRING, 'refunds', batch.uid, row)).toThrow('belongs elsewhere');
});

test.each([
  'update entries set name = name',
  'delete from entries',
  'delete from payments',
  'truncate payments',
  'update feed_era set era = 2',
  'create table mine (id int)',
  'insert into kysely_migration values (1)',
])('the application may not run: %s', async (statement) => {
  const { db } = records();
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied|must be owner/);
});
