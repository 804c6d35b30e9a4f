import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listChangedRows, type ChangePlace } from '../../records/changed-rows.js';
import { erasePayer } from '../../records/erase.js';
import { markRestored } from '../../records/incomplete.js';
import { createRecords } from '../../records/write.js';
import { aDatabase, anOpenWrite } from '../support/database.js';
import { aPaymentBatch, aPaymentView } from '../support/a-batch.js';
import { KEYRING, eventually } from '../support/temporal.js';
import type { Opened } from '../../records/database.js';
import type { RowFilter } from '../../records/lists.js';

const AT = '2026-11-01T10:00:00.000Z';

const aBatch = (uid: string, { version = 2, follows = 0, at = AT, state = 'settled' } = {}) =>
  aPaymentBatch({ uid, follows, row: { version, at, view: aPaymentView({ uid, state }) } });

async function aRoom() {
  const { application, owner } = await aDatabase();
  const opened = { db: application.db, keyring: KEYRING };
  return { opened, owner, ...createRecords(opened) };
}

function aFollower({ db, keyring }: Opened, filter: RowFilter = {}) {
  const seen: string[] = [];
  let after: ChangePlace | undefined;
  const ask = async (): Promise<string[]> => {
    const page = await listChangedRows({ db, keyring }, 'payment', { filter, after, limit: 2 });
    seen.push(...(page.views as { uid: string; state: string }[]).map(({ uid, state }) => `${uid} ${state}`));
    after = page.next;
    return seen;
  };
  /** Any open transaction of the server delays a change. */
  const until = (...expected: string[]) => expect.poll(ask, { timeout: 10_000 }).toEqual(expected);
  return { ask, until, place: () => after };
}

test('a follower meets each change of every row, also one that is stored later with an older time', async () => {
  const { opened, write } = await aRoom();
  const { until } = aFollower(opened);
  for (const uid of ['a', 'b', 'c']) await write(aBatch(uid));
  await until('a settled', 'b settled', 'c settled');
  await write(aBatch('late', { at: '2026-10-01T00:00:00.000Z' }));
  await write(aBatch('a', { version: 3, follows: 2, state: 'failed' }));
  await until('a settled', 'b settled', 'c settled', 'late settled', 'a failed');
});

test('a follower misses no row of a transaction that commits after a later one', async () => {
  const { opened, write } = await aRoom();
  const { ask, until } = aFollower(opened);
  const commit = await anOpenWrite(opened.db, (db) =>
    createRecords({ ...opened, db }).write(aBatch('first')),
  );
  await write(aBatch('second'));
  expect(await ask()).toEqual([]);
  await commit();
  await until('first settled', 'second settled');
});

test('a follower with a filter moves past rows that do not match', async () => {
  const { opened, write } = await aRoom();
  const [all, failed] = [aFollower(opened), aFollower(opened, { states: ['failed'] })];
  await failed.ask();
  const before = failed.place();
  await write(aBatch('a'));
  await all.until('a settled');
  await failed.ask();
  expect(failed.place()).not.toEqual(before);
  await write(aBatch('b', { state: 'failed' }));
  await failed.until('b failed');
});

test('a page with a filter ends after many rows without a match, and the next one continues there', async () => {
  const { opened, owner, write } = await aRoom();
  await sql`
    insert into payments (changed_era, uid, workflow_id, version, state, attention, updated_at, key_id, sealed)
    select 1, n::text, n::text, 1, 'settled', '{}', now(), 'k1', '' from generate_series(1, 20000) n`.execute(
    owner.db,
  );
  await write(aBatch('z', { state: 'failed' }));
  const page = (after?: ChangePlace) =>
    listChangedRows(opened, 'payment', { filter: { states: ['failed'] }, after, limit: 2 });
  const first = await eventually(page, ({ isNewest }) => !isNewest);
  expect(first.views).toEqual([]);
  await eventually(
    () => page(first.next),
    ({ views, isNewest }) => views.length === 1 && isNewest,
  );
});

test('a place stays valid in a new era, and an erased row is met again', async () => {
  const { opened, owner, write } = await aRoom();
  const { until } = aFollower(opened);
  await write(aBatch('a'));
  await until('a settled');
  await markRestored(owner.db);
  const view = { uid: 'agr-1', state: 'cancelled' };
  await write(aPaymentBatch({ resource: 'agreement', uid: 'agr-1', row: { version: 2, at: AT, view } }));
  await write(aBatch('b'));
  await until('a settled', 'b settled');
  await erasePayer({
    ...{ db: owner.db, keyring: KEYRING, of: { resource: 'agreement', uid: 'agr-1' } },
    ...{ by: 'ops', reason: 'asked us', isApplied: true, onProgress: () => undefined },
  });
  await until('a settled', 'b settled', 'a settled', 'b settled');
});
