import { expect, test } from 'vitest';
import { erasePayer } from '../../records/erase.js';
import { expireRecords } from '../../records/expire.js';
import { createReader } from '../../records/read.js';
import { rebuildAllRows } from '../../records/rebuild-all.js';
import { rebuildRows } from '../../records/rebuild.js';
import { refill } from '../../records/refill.js';
import { openEntry, openRow } from '../../records/sealed.js';
import { createRecords, openRecordWriter } from '../../records/write.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

const AT = '2026-11-01T02:03:04.000Z';
const PLANTED = 'Planted Name';
const POLLED = { timeout: 10_000 };
const CARRIED = { shape: 1, state: { attention: [], name: PLANTED } };

async function records() {
  const { url, owner, application } = await aDatabase();
  const { db } = application;
  const opened = { db, keyring: KEYRING };
  const { write, remembered, close } = openRecordWriter(recordsUrl.parse(url), KEYRING);
  const { row, timeline, changed } = createReader(opened);
  const maintained = { isApplied: true, onProgress: () => undefined };
  const kindsOf = async (uid: string) =>
    (await timeline('payment', uid, { after: undefined, limit: 99 })).entries.map(({ name }) => name);
  return {
    ...{ owner: owner.db, db, opened, write, remembered, row, changed, kindsOf, close },
    conflicts: () => db.selectFrom('conflicts').selectAll().execute(),
    entriesOf: (workflowId: string) =>
      db.selectFrom('entries').select('kind').where('workflow_id', '=', workflowId).execute(),
    rebuild: () => rebuildRows({ ...opened, ...maintained }),
    rebuildAll: (isApplied: boolean) => rebuildAllRows({ ...opened, ...maintained, isApplied }),
    refill: async (batch: RecordBatch) => {
      async function* each() {
        yield await Promise.resolve(batch);
      }
      return refill({ ...opened, ...maintained, batches: each() });
    },
    erase: (isApplied = true) =>
      erasePayer({
        ...{ db: owner.db, keyring: KEYRING, of: { resource: 'agreement', uid: 'agr-1' } },
        ...{ ...maintained, isApplied, by: 'ops', reason: 'a request' },
      }),
    expire: (isApplied = true) =>
      expireRecords({
        db: owner.db,
        before: new Date('2027-01-01'),
        keysBefore: new Date(),
        deliveriesBefore: new Date(),
        ...maintained,
        isApplied,
      }),
  };
}

const after = (batch: RecordBatch, version: number, over: Partial<RecordBatch> = {}): RecordBatch => ({
  ...batch,
  ...{ follows: batch.row.version, taskFollows: batch.row.version, entries: [anEntry(version - 1)] },
  row: { ...batch.row, version },
  ...over,
});

const first = aPaymentBatch({ uid: 'pay-1', carried: CARRIED });
const other = aPaymentBatch({
  ...{ uid: 'pay-1', runId: 'run-2', identity: 'run-2', connectionId: 'other', entries: [anEntry(1)] },
  row: { version: 9, at: AT, view: aPaymentView({ amount: 7, description: PLANTED }) },
});

test('a thing is remembered with what its next run needs, until a later batch; its connection and identity stay', async () => {
  const { write, remembered, close } = await records();
  expect(await remembered('payment', 'pay-1')).toBeUndefined();
  await write({ ...first, identity: undefined, connectionId: undefined });
  const { view } = first.row;
  expect(await remembered('payment', 'pay-1')).toEqual({
    ...{ is: 'row', version: 2, identity: undefined, connectionId: undefined, state: 'settled', view },
    carried: CARRIED,
  });
  await write(after(first, 12, { carried: undefined }));
  await write(
    after(after(first, 12), 22, { carried: undefined, connectionId: 'other', identity: undefined }),
  );
  expect(await remembered('payment', 'pay-1')).toMatchObject({
    ...{ version: 22, identity: 'run-1', connectionId: 'acme', carried: undefined },
  });
  await close();
});

test('another thing under a uid never replaces the first one, which is flagged once', async () => {
  const { opened, write, remembered, changed, kindsOf, conflicts, entriesOf, close } = await records();
  await write(first);
  const start = { filter: {}, limit: 9 };
  const { next } = await changed('payment', { ...start, after: undefined });
  const stored = { newest: other.row.version };
  expect(await Promise.all([write(other), createRecords(opened).write(other)])).toEqual([stored, stored]);
  for (const batch of [other, after(other, 19), other])
    expect(await write(batch)).toEqual({ newest: batch.row.version });
  const flag = {
    code: 'conflict',
    since: AT,
    detail: expect.stringMatching(/^Another payment was/) as string,
  };
  expect(await remembered('payment', 'pay-1')).toMatchObject({
    ...{ version: 2, identity: 'run-1', connectionId: 'acme', view: { attention: [flag] } },
    carried: { shape: 1, state: { attention: [flag], name: PLANTED } },
  });
  expect(await kindsOf('pay-1')).toEqual(['settled', 'conflict']);
  const flagged = async () => (await changed('payment', { ...start, after: next })).views.at(-1);
  await expect.poll(flagged, POLLED).toMatchObject({ attention: [flag] });
  const [row] = await conflicts();
  expect(row).toMatchObject({ version: 19, connection_id: 'other', state: 'settled', own: { amount: 4200 } });
  expect(row && openRow(KEYRING, 'conflicts', 'payment/pay-1/run-2', row)).toEqual(other.row.view);
  expect(await entriesOf('payment/pay-1/run-2')).toHaveLength(4);
  expect(await write(after(first, 12))).toEqual({ newest: 12 });
  await close();
});

test('rebuilding keeps what a row has besides its columns, and makes the columns of all rows again', async () => {
  const {
    owner,
    db,
    write,
    remembered,
    rebuild,
    rebuildAll,
    refill: fill,
    conflicts,
    close,
  } = await records();
  await write(first);
  await write(other);
  const before = await remembered('payment', 'pay-1');
  expect(await rebuild()).toEqual({ workflows: 1, rows: 0, running: 0 });
  await db.updateTable('payments').set({ version: 1 }).execute();
  expect(await rebuild()).toEqual({ workflows: 1, rows: 1, running: 0 });
  expect(await remembered('payment', 'pay-1')).toMatchObject({ identity: 'run-1', carried: { shape: 1 } });
  const stored = () => db.selectFrom('payments').select(['run_id', 'state', 'attention']).execute();
  expect(await stored()).toEqual([{ run_id: 'run-1', state: 'settled', attention: [] }]);
  expect(before).toMatchObject({ carried: { state: { attention: [{ code: 'conflict' }] } } });

  await owner
    .updateTable('payments')
    .set({ state: 'lost', search_tags: ['lost'] })
    .execute();
  await owner.updateTable('conflicts').set({ own: '{}' }).execute();
  expect(await rebuildAll(false)).toEqual({ rows: 2, changed: 2 });
  expect(await rebuildAll(true)).toEqual({ rows: 2, changed: 2 });
  expect(await rebuildAll(true)).toEqual({ rows: 2, changed: 0 });
  expect(await stored()).toMatchObject([{ state: 'settled' }]);
  expect(await conflicts()).toMatchObject([{ own: { amount: 4200 } }]);

  await owner.deleteFrom('conflicts').execute();
  expect(await fill(other)).toMatchObject({ rows: 1, facts: 0 });
  expect(await fill(other)).toMatchObject({ rows: 0, facts: 0 });
  expect(await fill({ ...first, carried: undefined })).toMatchObject({ rows: 0, facts: 0 });
  expect(await remembered('payment', 'pay-1')).toMatchObject({ version: 2, carried: { shape: 1 } });
  await close();
});

test('what has expired does not come back, and its late entries have no personal data', async () => {
  const { db, write, remembered, row, rebuild, expire, refill: fill, conflicts, close } = await records();
  const open = { ...other.row, view: aPaymentView({ state: 'created' }) };
  await write(first);
  await write({ ...other, row: open });
  expect(await expire(false)).toMatchObject({ payment: 0, entry: 0 });
  await write(after(other, 19));
  const due = { payment: 2, entry: 6 };
  expect(await expire(false)).toMatchObject(due);
  expect(await expire()).toMatchObject(due);
  expect(await conflicts()).toEqual([]);
  const gone = { is: 'gone', why: 'expired', connectionId: 'acme' };
  expect(await remembered('payment', 'pay-1')).toMatchObject(gone);
  const late = { ...first, entries: [anEntry(1, { data: { name: PLANTED, amount: 5 } })] };
  for (const batch of [late, after(late, 12), other])
    expect(await write(batch)).toEqual({ newest: batch.row.version });
  expect([await row('payment', 'pay-1'), await conflicts()]).toEqual([undefined, []]);
  expect(await rebuild()).toEqual({ workflows: 0, rows: 0, running: 0 });
  expect(await fill(first)).toMatchObject({ erased: 1, rows: 0 });
  expect(await remembered('payment', 'pay-1')).toMatchObject(gone);
  const entries = await db.selectFrom('entries').selectAll().execute();
  const opened = entries.map((one) => openEntry(KEYRING, { ...one, workflowId: one.workflow_id }, one));
  expect(opened).toHaveLength(5);
  expect(JSON.stringify(opened)).not.toContain(PLANTED);
  await close();
});

test('an erased thing is gone; its later changes are shown without personal data', async () => {
  const { db, owner, write, remembered, row, erase, rebuild, rebuildAll, conflicts, close } = await records();
  const view = aPaymentView({ reference: PLANTED });
  const agreement = { resource: 'agreement', uid: 'agr-1', workflowId: 'agreement/agr-1' } as const;
  await write(aPaymentBatch({ ...agreement, row: { version: 2, at: AT, view: { state: 'cancelled' } } }));
  await write({ ...first, row: { ...first.row, view } });
  await write({ ...other, carried: CARRIED, row: { ...other.row, view: { ...view, state: 'created' } } });
  await expect(erase()).rejects.toThrow('payment pay-1 created');
  await write(after(other, 19, { row: { version: 19, at: AT, view } }));
  expect(await erase(false)).toMatchObject({ payment: 2 });
  expect(await erase()).toMatchObject({ payment: 2 });
  expect(await erase()).toMatchObject({ payment: 0, entry: 0 });
  const gone = { is: 'gone', why: 'erased', connectionId: 'acme' };
  expect(await remembered('payment', 'pay-1')).toMatchObject(gone);
  const returned = { version: 12, at: AT, view: { ...view, state: 'failed' } };
  for (const batch of [after(first, 12, { row: returned, carried: CARRIED }), after(other, 29)])
    expect(await write(batch)).toEqual({ newest: batch.row.version });
  const isClean = async () => {
    const payments = await db.selectFrom('payments').selectAll().execute();
    const opened = payments.map((one) => openRow(KEYRING, 'payments', one.uid, one));
    for (const one of await conflicts())
      opened.push(openRow(KEYRING, 'conflicts', `payment/${one.uid}/${one.identity}`, one));
    expect(JSON.stringify(opened)).not.toContain(PLANTED);
    for (const one of [...payments, ...(await conflicts())])
      expect(one).toMatchObject({ carried: null, search_tags: [], erased_at: expect.any(Date) as Date });
  };
  await isClean();
  expect(await row('payment', 'pay-1')).toMatchObject({ version: 12, view: { state: 'failed' } });
  expect((await conflicts()).map(({ version }) => version)).toEqual([29]);
  await rebuildAll(true);
  await owner.deleteFrom('payments').execute();
  await rebuild();
  await isClean();
  expect(await remembered('payment', 'pay-1')).toMatchObject(gone);
  await close();
});
