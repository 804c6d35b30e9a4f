import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { rebuildRows } from '../../records/rebuild.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

async function aLossyDatabase() {
  const { owner, application } = await aDatabase();
  const { write } = createRecords({ db: application.db, keyring: KEYRING });
  const rowsIn = () =>
    application.db.selectFrom('payments').select(['uid', 'version', 'state']).orderBy('uid').execute();
  return {
    ...{ owner, write, rowsIn },
    lose: () => owner.db.deleteFrom('payments').execute(),
    rebuild: () =>
      rebuildRows({ db: application.db, keyring: KEYRING, isApplied: true, onProgress: () => undefined }),
  };
}

const aBatch = (uid: string, version: number, state: string, over: Partial<RecordBatch> = {}): RecordBatch =>
  aPaymentBatch({
    ...{ uid, entries: [anEntry(version - 1)], ...over },
    row: { version, at: '2026-11-01T02:03:04.000Z', view: aPaymentView({ uid, state }) },
  });

test('lost rows of ended resources are made again exactly, and those of running ones are counted', async () => {
  const { owner, write, rowsIn, lose, rebuild } = await aLossyDatabase();
  await write(aBatch('ended', 2, 'settled'));
  await write(aBatch('running', 2, 'created'));
  await write(aBatch('reopened', 2, 'settled'));
  await write(aBatch('reopened', 4, 'created', { follows: 2, taskFollows: 2 }));
  const before = await rowsIn();
  expect(await rebuild()).toEqual({ workflows: 3, rows: 0, running: 0 });
  expect(await rowsIn()).toEqual(before);
  await lose();
  let rebuilt: unknown;
  // The feed would end at this transaction.
  await owner.db.transaction().execute(async (open) => {
    await sql`select pg_current_xact_id()`.execute(open);
    rebuilt = await rebuild();
  });
  expect(rebuilt).toEqual({ workflows: 3, rows: 1, running: 2 });
  expect(await rowsIn()).toEqual([{ uid: 'ended', version: 2, state: 'settled' }]);
});
