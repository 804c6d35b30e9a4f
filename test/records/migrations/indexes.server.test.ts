import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildIndexes, type Index } from '../../../records/migrations/indexes.js';
import { createRecords } from '../../../records/write.js';
import { aPaymentBatch } from '../../support/a-batch.js';
import { aDatabase, type Database } from '../../support/database.js';
import { KEYRING } from '../../support/temporal.js';

const inTransaction = ({ application: { db } }: Database, work: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await createRecords({ db: transaction, keyring: KEYRING }).write(aPaymentBatch());
    await work();
  });

async function built({ owner }: Database, name: string, printed: string[]): Promise<void> {
  const index: Index = { name, definition: sql`payments (state, uid)` };
  await buildIndexes(owner.db, [index], (line) => printed.push(line));
}

test('a worker stores while an index waits for a transaction of its own database, and of no other', async () => {
  const [database, other] = [await aDatabase(), await aDatabase()];
  const printed: string[] = [];
  let building = Promise.resolve();
  await inTransaction(other, async () => {
    await inTransaction(database, async () => {
      building = built(database, 'payments_first', printed);
      const { db } = database.owner;
      const isWaiting = async () =>
        (await sql`select 1 from pg_stat_progress_create_index where phase like 'waiting%'`.execute(db)).rows;
      await expect.poll(isWaiting, { timeout: 10_000 }).toHaveLength(1);
      await createRecords({ db: database.application.db, keyring: KEYRING }).write(aPaymentBatch());
    });
    await building;
  });
  expect(printed).toHaveLength(2);
});

test('an interrupted build is repeated, and then never again', async () => {
  const database = await aDatabase();
  for (let payment = 0; payment < 2; payment += 1) await inTransaction(database, () => Promise.resolve());
  const unique = sql`create unique index concurrently payments_first on payments (state)`;
  await expect(unique.execute(database.owner.db)).rejects.toThrow(/could not create unique index/);
  const printed: string[] = [];
  for (let run = 0; run < 2; run += 1) await built(database, 'payments_first', printed);
  expect(printed).toEqual([
    'dropping the index payments_first, because its build was interrupted',
    'building the index payments_first',
    expect.stringMatching(/^built the index payments_first in \d+\.\d s$/),
  ]);
});
