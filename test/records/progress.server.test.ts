import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchDatabase } from '../../records/guard.js';
import { markIncomplete } from '../../records/incomplete.js';
import { followProgress } from '../../records/progress.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { openRecordWriter } from '../../records/write.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { KEYRING, eventually } from '../support/temporal.js';

async function aWorld() {
  const { owner, application, url, adminUrl } = await aDatabase();
  const guard = watchDatabase({ now: Date.now, onFailure: () => undefined, onBack: () => undefined });
  const writer = openRecordWriter(recordsUrl.parse(url), KEYRING, guard);
  onTestFinished(() => writer.close());
  const reading = new AbortController();
  onTestFinished(() => reading.abort());
  const time = { now: 0 };
  const follow = (over: { onIncomplete?: () => void } = {}) =>
    followProgress(application.db, { signal: reading.signal, nowMs: () => time.now, ...over });
  const mark = () => markIncomplete(application.db, 'rebuild');
  const { database } = recordsUrl.parse(adminUrl);
  const setBack = (seconds: number) =>
    sql`update records_progress set recorded_until = now() - make_interval(secs => ${seconds})`.execute(
      owner.db,
    );
  const forbidWrites = () =>
    sql.raw(`alter database ${database} set default_transaction_read_only = on`).execute(owner.db);
  const revoke = () => sql`revoke insert on entries from payto`.execute(owner.db);
  return { writer, time, follow, setBack, forbidWrites, revoke, markIncomplete: mark };
}
const read = (progress: ReturnType<typeof followProgress>) =>
  eventually(
    () => Promise.resolve(progress.recordedUntil()),
    (until) => until !== undefined,
  );

test('a worker that can store moves the time on, and a reader without news grows old', async () => {
  const { writer, time, follow, setBack } = await aWorld();
  await setBack(100);
  const before = follow();
  await read(before);
  expect(before.isStale()).toBe(true);
  await writer.moveOn();
  const after = follow();
  expect(Date.parse((await read(after)) ?? '')).toBeGreaterThan(Date.now() - 10_000);
  expect(after.isStale()).toBe(false);
  time.now += 31_000;
  expect(after.isStale()).toBe(true);
});

test('a worker with late batches does not move the time on', async () => {
  const { writer, setBack, follow, revoke } = await aWorld();
  await revoke();
  await expect(writer.writeLate(aPaymentBatch())).rejects.toMatchObject({ code: '42501' });
  await setBack(100);
  await writer.moveOn();
  const progress = follow();
  await read(progress);
  expect(progress.isStale()).toBe(true);
});

test('a reader notices once that rows are incomplete, so they may be older than their workflows', async () => {
  const { follow, markIncomplete } = await aWorld();
  await markIncomplete();
  const onIncomplete = vi.fn();
  const progress = follow({ onIncomplete });
  await read(progress);
  expect(Date.parse(progress.incompleteSince() ?? '')).toBeGreaterThan(Date.now() - 10_000);
  expect(progress.isStale()).toBe(true);
  expect(onIncomplete).toHaveBeenCalledTimes(1);
});

test('nothing moves the time on in a database that can only be read', async () => {
  const { writer, setBack, forbidWrites } = await aWorld();
  await setBack(100);
  await forbidWrites();
  await expect(writer.moveOn()).rejects.toMatchObject({ code: '25006' });
});
