import { CompiledQuery, sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openEntry, openRow } from '../../records/sealed.js';
import { createRecordWriter, createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { opened } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { Statement } from '../../records/run.js';
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

const after = (batch: RecordBatch, version: number, over: Partial<RecordBatch> = {}): RecordBatch => ({
  ...batch,
  ...{ follows: batch.row.version, taskFollows: batch.row.version, entries: [anEntry(version - 1)] },
  row: { ...batch.row, version },
  ...over,
});
const sequencesOf = (entries: readonly { kind: string; sequence: number }[]): string[] =>
  entries.map(({ kind, sequence }) => `${kind} ${sequence}`);

test('each batch follows the one before', async () => {
  const { write, entriesOf } = records();
  const first = aPaymentBatch();
  const second = after(first, 12);
  expect(await write(first)).toEqual({ newest: 2 });
  expect(await write(second)).toEqual({ newest: 12 });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2', 'fact 11', 'view 12']);
});

test('a repeated task replaces what its earlier attempt stored, and what both have keeps its place in the feed', async () => {
  const { write, rowOf, entriesOf } = records();
  const first = aPaymentBatch();
  const state = (sequence: number, name: string) =>
    anEntry(sequence, { kind: 'state', name, factId: undefined });
  const lost = after(first, 13, { entries: [anEntry(11, { factId: 'e' }), state(12, 'settled')] });
  const repeated = after(first, 24, {
    entries: [anEntry(21, { factId: 'e' }), anEntry(22, { factId: 'f' }), state(23, 'returned')],
    row: { ...first.row, version: 24, view: { state: 'returned' } },
  });
  await write(first);
  await write(lost);
  const before = await entriesOf(first);
  expect(await write(repeated)).toEqual({ newest: 24 });
  const stored = await entriesOf(first);
  expect(sequencesOf(stored)).toEqual(['fact 1', 'view 2', 'fact 21', 'fact 22', 'state 23']);
  const placeOf = (entries: typeof stored, kind: string) =>
    entries.findLast((entry) => entry.kind === kind)?.position;
  expect(placeOf(stored.slice(0, 3), 'fact')).toBe(placeOf(before, 'fact'));
  expect(await rowOf(first)).toMatchObject({ version: 24, follows: 2, state: 'returned' });
  const [, , fact] = stored;
  const id = { workflowId: first.workflowId, sequence: 21, kind: 'fact' };
  expect(fact && openEntry(KEYRING, id, fact)).toEqual(repeated.entries[0]?.data);
});

test('a task that fails ten times leaves what its last attempt stored', async () => {
  const { write, rowOf, entriesOf } = records();
  const first = aPaymentBatch();
  await write(first);
  for (let attempt = 1; attempt <= 11; attempt += 1) await write(after(first, 10 * attempt));
  expect(sequencesOf(await entriesOf(first)).toSorted()).toEqual([
    'fact 1',
    'fact 109',
    'view 110',
    'view 2',
  ]);
  expect(await rowOf(first)).toMatchObject({ version: 110, follows: 2 });
});

test('a repeated task replaces all batches of its earlier attempt', async () => {
  const { write, entriesOf } = records();
  const first = aPaymentBatch();
  const ofTask = { taskFollows: first.row.version };
  const state = (sequence: number, name: string) =>
    anEntry(sequence, { kind: 'state', name, factId: undefined });
  const one = after(first, 12, { entries: [state(11, 'sent')] });
  const two = after(one, 14, { ...ofTask, entries: [state(13, 'settled')] });
  const again = after(first, 22, { entries: [state(21, 'sent')] });
  for (const batch of [first, one, two, again])
    expect(await write(batch)).toEqual({ newest: batch.row.version });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2', 'state 21', 'view 22']);
  expect(await write(after(again, 24, { ...ofTask, entries: [state(23, 'settled')] }))).toEqual({
    newest: 24,
  });
  expect(await write(after(two, 16))).toEqual({ newest: 24 });
});

test('a repeated task that changes only the row removes what its earlier attempt stored', async () => {
  const { write, rowOf, entriesOf } = records();
  const first = aPaymentBatch();
  const row = { version: 22, at: '', view: aPaymentView({ state: 'created' }) };
  await write(first);
  await write(after(first, 12));
  expect(await write(after(first, 22, { entries: [], row }))).toEqual({ newest: 22 });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2']);
  expect(await rowOf(first)).toMatchObject({ version: 22, state: 'created' });
});

test('a late worker changes nothing, and learns what is stored', async () => {
  const { write, rowOf, entriesOf } = records();
  const first = aPaymentBatch();
  await write(first);
  await write(after(first, 24));
  expect(await write(after(first, 13))).toEqual({ newest: 24 });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2', 'fact 23', 'view 24']);
  expect(await rowOf(first)).toMatchObject({ version: 24 });
});

test('a batch whose predecessor the database lacks is not stored', async () => {
  const { write, entriesOf } = records();
  const first = aPaymentBatch();
  const third = after(after(first, 12), 22);
  expect(await write(third)).toEqual({ newest: 0 });
  await write(first);
  expect(await write(third)).toEqual({ newest: 2 });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2']);
});

test('another run never replaces what a run has stored', async () => {
  const { write, entriesOf } = records();
  const first = aPaymentBatch();
  await write(first);
  await write(after(first, 12));
  expect(await write(after(first, 22, { runId: 'after-a-reset' }))).toEqual({ newest: 12 });
  expect(sequencesOf(await entriesOf(first))).toEqual(['fact 1', 'view 2', 'fact 11', 'view 12']);
});

test('a fact that the records have is not stored again', async () => {
  const { write, entriesOf } = records();
  const factOf = (sequence: number, authenticated: boolean) =>
    anEntry(sequence, { factId: 'evt-1', data: { authenticated } });
  const batch = aPaymentBatch({
    entries: [factOf(1, false), factOf(2, true)],
    row: { version: 3, at: '', view: {} },
  });
  await write(batch);
  await write(after(batch, 13, { entries: [factOf(11, false), factOf(12, true)] }));
  expect(sequencesOf(await entriesOf(batch))).toEqual(['fact 1', 'fact 2']);
});

test('many workflows are stored in one statement, and only bad data are refused', async () => {
  const { db, rowOf } = records();
  const statements: string[] = [];
  const { write } = createRecordWriter(async <Row>({ name, text, values }: Statement) => {
    statements.push(name);
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  }, KEYRING);
  const good = Array.from({ length: 20 }, () => aPaymentBatch());
  const refund = aPaymentBatch({ resource: 'refund' });
  const next = good.slice(0, 1).map((batch) => after(batch, 12));
  const outcomes = await Promise.all([...good, ...next, refund].map(write));
  expect(outcomes.map((outcome) => 'newest' in outcome && outcome.newest)).toEqual([
    ...good.map(() => 2),
    12,
    2,
  ]);
  expect(statements.filter((name) => name !== 'notify')).toEqual([
    'store payments',
    'store payments refunds',
  ]);
  const bad = aPaymentBatch({ connectionId: 'a\u0000b' });
  const others = [aPaymentBatch(), aPaymentBatch()];
  const [first] = others;
  // The first statement is in flight alone, so the others share one.
  const answers = await Promise.all([aPaymentBatch(), ...others, bad].map(write));
  expect(answers.map(({ refused }) => refused)).toEqual([undefined, undefined, undefined, '22P05']);
  expect(first && (await rowOf(first))).toMatchObject({ version: 2 });
});

test('two workers never both continue the same batch', async () => {
  const one = records();
  const other = records();
  const first = aPaymentBatch();
  await one.write(first);
  const outcomes = await Promise.all([one.write(after(first, 12)), other.write(after(first, 22))]);
  const row = await one.rowOf(first);
  expect(outcomes).toContainEqual({ newest: row.version });
  const versions = (await one.entriesOf(first))
    .filter(({ kind }) => kind === 'view')
    .map(({ sequence }) => sequence);
  expect(versions).toEqual([2, row.version]);
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

test('a sealed row opens in no other row, and neither it nor its entries on another connection', async () => {
  const { write, rowOf, entriesOf } = records();
  const batch = aPaymentBatch();
  await write(batch);
  const row = await rowOf(batch);
  expect(() => openRow(KEYRING, 'payments', 'another', row)).toThrow('belongs elsewhere');
  expect(() => openRow(KEYRING, 'refunds', batch.uid, row)).toThrow('belongs elsewhere');
  for (const connection_id of ['other', null]) {
    const moved = { ...row, connection_id };
    expect(() => openRow(KEYRING, 'payments', batch.uid, moved)).toThrow('belongs elsewhere');
    const [entry] = await entriesOf(batch);
    if (entry === undefined) throw new Error('expected an entry');
    const id = { workflowId: batch.workflowId, sequence: entry.sequence, kind: entry.kind };
    expect(() => openEntry(KEYRING, id, { ...entry, connection_id })).toThrow('belongs elsewhere');
  }
});

test('a row keeps its connection, and opens, if a later batch names none', async () => {
  const { write, rowOf } = records();
  const batch = aPaymentBatch();
  await write(batch);
  await write(after(batch, 9, { connectionId: undefined, entries: [] }));
  const row = await rowOf(batch);
  expect(row).toMatchObject({ version: 9, connection_id: batch.connectionId });
  expect(openRow(KEYRING, 'payments', batch.uid, row)).toEqual(batch.row.view);
});

test.each([
  'update entries set name = name',
  'delete from entries',
  'delete from payments',
  'delete from conflicts',
  "insert into tombstones values ('payment', 'pay-1', null, now())",
  'truncate payments',
  'update feed_era set era = 2',
  "update incomplete set completed_by = 'rebuild'",
  'create table mine (id int)',
  'insert into kysely_migration values (1)',
  "update schema_support set oldest = '0001-baseline'",
])('the application may not run: %s', async (statement) => {
  const { db } = records();
  await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied|must be owner/);
});
