import { expect, test } from 'vitest';
import { readEvents, type EventFilter } from '../../records/events.js';
import { markRestored } from '../../records/incomplete.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { aDatabase, anOpenWrite } from '../support/database.js';
import { KEYRING, eventually } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';
import type { Place } from '../../records/feed.js';

const WRITERS = 20;
const ROUNDS = 12;
const RESTORED_AFTER = 5;

const settled = (uid: string): RecordBatch =>
  aPaymentBatch({
    uid,
    entries: [
      anEntry(1, {
        ...{ kind: 'state', name: 'settled', factId: undefined, data: { from: 'pending' } },
        event: { number: 1, view: aPaymentView({ uid }) },
      }),
    ],
  });

test('readers under 20 writers, with the order reset in between, miss no event and get none twice', async () => {
  const { application, owner } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  const { write } = createRecords(opened);
  const expected = Array.from({ length: WRITERS * ROUNDS }, (_, n) => `pay-${n}`);

  const writeAll = async (writer: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const batch = settled(`pay-${writer * ROUNDS + round}`);
      if (writer % 4 > 0) await write(batch);
      else {
        const commit = await anOpenWrite(opened.db, (db) => createRecords({ ...opened, db }).write(batch));
        const later = { ...settled(`later-${writer}-${round}`), connectionId: 'other' };
        await Promise.all([write(later), commit()]);
      }
      if (writer === 1 && round === RESTORED_AFTER) await markRestored(owner.db);
    }
  };
  const readAll = async (filter: EventFilter): Promise<string[]> => {
    const uids: string[] = [];
    let after: Place | undefined;
    const readOn = async (): Promise<number> => {
      const page = await readEvents(opened, { after, filter, limit: 7 });
      after = page.next;
      uids.push(...page.events.map(({ uid }) => uid));
      return page.isNewest ? uids.length : readOn();
    };
    await eventually(readOn, (count) => count >= expected.length);
    await readOn();
    return uids.toSorted();
  };

  const filters: EventFilter[] = [
    { connections: ['acme'] },
    { types: ['payment.settled'], connections: ['acme'] },
  ];
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeAll(writer)));
  const reading = await Promise.all(filters.map(readAll));
  await writing;
  for (const uids of reading) expect(uids).toEqual(expected.toSorted());
});
