import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RecordsIncomplete } from '../../records/errors.js';
import { createReader } from '../../records/read.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/database.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { KEYRING } from '../support/temporal.js';

const BOUND = { resource: 'agreement', uid: 'agr-1', body: 'digest' } as const;
const OTHER = { ...BOUND, uid: 'agr-2' };
const FLAG = { code: 'conflict', since: '2026-11-01T02:03:04.000Z', detail: 'd', next: 'n' } as const;

async function keys() {
  const { owner, application } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  return { owner: owner.db, records: createRecords(opened), reader: createReader(opened) };
}

test('a key belongs to its first request, also if two arrive at once, and only that one frees it', async () => {
  const { reader } = await keys();
  const key = randomUUID();
  const [one, two] = [
    { ...BOUND, key },
    { ...OTHER, key },
  ];
  const both = await Promise.all([one, two].map((request) => reader.bindKey(request)));
  const [first = BOUND, last] = both;
  expect(last).toEqual(first);
  expect(first).toMatchObject({ uses: 1 });
  const [winner, loser] = first.uid === one.uid ? [one, two] : [two, one];
  await reader.freeKey(loser);
  expect(await reader.keyUse(key)).toMatchObject({ uid: winner.uid, body: 'digest' });
  await reader.freeKey(winner);
  expect(await reader.keyUse(key)).toBeUndefined();
  await reader.bindKey(loser);
  expect(await reader.bindKey(loser)).toMatchObject({ uid: loser.uid, uses: 2 });
  await reader.freeKey(loser);
  expect(await reader.keyUse(key)).toMatchObject({ uid: loser.uid });
});

test('while rows may be missing, no key is bound or read', async () => {
  const { owner, reader } = await keys();
  await owner.insertInto('incomplete').values({ completed_by: 'rebuild' }).execute();
  await expect(reader.bindKey({ ...BOUND, key: 'k' })).rejects.toThrow(RecordsIncomplete);
  await expect(reader.keyUse('k')).rejects.toThrow(RecordsIncomplete);
  await owner.deleteFrom('incomplete').execute();
  expect(await reader.keyUse('k')).toBeUndefined();
});

test('the keys that a run drops are stored with its batch, once', async () => {
  const { records, reader } = await keys();
  const dropped = { key: 'dropped', uid: 'ref-1', body: 'digest' };
  const batch = aPaymentBatch({ keys: [dropped] });
  for (const body of ['digest', 'changed']) await records.write({ ...batch, keys: [{ ...dropped, body }] });
  await records.write(aPaymentBatch());
  expect(await reader.keyUse('dropped')).toEqual({ resource: 'payment', uid: 'ref-1', body: 'digest' });
});

test('a flag is raised once in the row of a thing, in what a later run needs, and in its timeline', async () => {
  const { records, reader } = await keys();
  const carried = { state: { attention: [] } };
  const batch = aPaymentBatch({ carried, row: { version: 2, at: FLAG.since, view: aPaymentView() } });
  await records.write(batch);
  const { uid } = batch;
  for (const detail of ['d', 'again'])
    expect(await records.flagRow({ resource: 'payment', uid }, { ...FLAG, detail })).toBe(true);
  expect(await reader.remembered('payment', uid)).toMatchObject({
    view: { attention: [FLAG] },
    carried: { state: { attention: [FLAG] } },
  });
  const { entries } = await reader.timeline('payment', uid, { after: undefined, limit: 9 });
  expect(entries.filter(({ kind }) => kind === 'attention')).toHaveLength(1);
  expect(await records.flagRow({ resource: 'payment', uid: 'none' }, FLAG)).toBe(false);
});
