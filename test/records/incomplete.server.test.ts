import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createRecorded } from '../../api/gateway/records.js';
import { commandsToRun, markIncomplete, markRestored } from '../../records/incomplete.js';
import { createReader } from '../../records/read.js';
import { rebuildRows } from '../../records/rebuild.js';
import { refill } from '../../records/refill.js';
import { schemaProblem } from '../../records/schema-version.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

const FROM_WORKFLOWS = 'rebuild --from-workflows';
const interrupted = (): void => {
  throw new Error('interrupted');
};

async function records() {
  const { owner, application } = await aDatabase();
  const { db } = application;
  const opened = { db, keyring: KEYRING };
  const options = { ...opened, isApplied: true, onProgress: (): void => undefined };
  return {
    ...{ owner: owner.db, db, write: createRecords(opened).write, reader: createReader(opened) },
    marks: () => commandsToRun(db),
    rebuild: (over: Partial<typeof options> = {}) => rebuildRows({ ...options, ...over }),
    refill: (batches: (RecordBatch | undefined)[], over: Partial<typeof options> = {}) => {
      async function* each() {
        for (const batch of batches) yield await Promise.resolve(batch);
      }
      return refill({ ...options, batches: each(), ...over });
    },
  };
}

test('from a restore until every workflow has answered, nothing is taken for absent', async () => {
  const { owner, write, reader, marks, rebuild, refill: fill } = await records();
  const [kept, lost] = [aPaymentBatch({ uid: 'kept' }), aPaymentBatch({ uid: 'lost' })];
  await write(kept);
  const recorded = createRecorded(reader);
  const before = (uid: string) => recorded.before({ resource: 'payment', uid });
  expect(await before('lost')).toEqual({ row: undefined });
  await markRestored(owner);
  for (const uid of ['kept', 'lost']) {
    await expect(reader.remembered('payment', uid)).rejects.toThrow('the records are incomplete since');
    expect(await before(uid)).toEqual({ row: undefined, isUnchecked: true });
  }
  await rebuild();
  await fill([kept, lost], { isApplied: false });
  await fill([kept, undefined]);
  expect(await marks()).toEqual([FROM_WORKFLOWS]);
  await fill([kept, lost]);
  expect(await marks()).toEqual([]);
  expect(await before('lost')).toMatchObject({ row: { state: 'settled' } });
});

test('an interrupted command leaves its mark until it has completed', async () => {
  const { write, marks, rebuild, refill: fill } = await records();
  const batch = aPaymentBatch();
  await write(batch);
  await expect(rebuild({ onProgress: interrupted })).rejects.toThrow('interrupted');
  await expect(fill([batch], { onProgress: interrupted })).rejects.toThrow('interrupted');
  expect(await marks()).toEqual(['rebuild', FROM_WORKFLOWS]);
  await rebuild({ isApplied: false });
  await fill([batch]);
  expect(await marks()).toEqual(['rebuild']);
  await rebuild();
  expect(await marks()).toEqual([]);
});

test('a rebuild that finds rows of running resources missing leaves them to the workflows', async () => {
  const { owner, write, marks, rebuild } = await records();
  await write(aPaymentBatch({ row: { ...aPaymentBatch().row, view: { state: 'created' } } }));
  await owner.deleteFrom('payments').execute();
  await rebuild({ isApplied: false });
  expect(await marks()).toEqual([]);
  expect(await rebuild()).toMatchObject({ rows: 0, running: 1 });
  expect(await marks()).toEqual([FROM_WORKFLOWS]);
});

test('a dump that was restored into the same server is found at the start of a process', async () => {
  const { owner, db } = await records();
  await markIncomplete(db, 'rebuild');
  expect(await schemaProblem(db)).toBeUndefined();
  // As `pg_restore --clean` does: another table with the same rows.
  await sql`alter table entries rename to dumped`.execute(owner);
  await sql`create table entries (like dumped including all)`.execute(owner);
  await sql`grant select on entries to payto`.execute(owner);
  expect(await schemaProblem(db)).toMatch(/records -- restored/);
  await markRestored(owner);
  expect(await schemaProblem(db)).toBeUndefined();
});
