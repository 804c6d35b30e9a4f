import { onTestFinished, expect, test } from 'vitest';
import { sql } from 'kysely';
import { listen } from '../../records/listen.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { createRecords } from '../../records/write.js';
import { aDatabase } from '../support/a-database.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { KEYRING, eventually } from '../support/temporal.js';
import { NOWHERE } from '../support/records.js';

const NEVER = new AbortController().signal;

function listening(url: string) {
  const away: unknown[] = [];
  const listener = listen({ settings: recordsUrl.parse(url), onAway: (error) => void away.push(error) });
  onTestFinished(() => listener.close());
  return { listener, away };
}

async function timed(wait: Promise<void>): Promise<number> {
  const from = performance.now();
  await wait;
  return performance.now() - from;
}

test('a replaced row ends the wait for its workflow, and for no other', async () => {
  const { url, application } = await aDatabase();
  const records = createRecords({ db: application.db, keyring: KEYRING });
  const { listener } = listening(url);
  await eventually(listener.isListening, Boolean);
  const batch = aPaymentBatch();
  const [watcher, other] = [listener.watch(batch.workflowId), listener.watch('payment/other')];
  await other.changed(0, NEVER);
  const changed = timed(watcher.changed(20_000, NEVER));
  await records.write(batch);
  expect(await changed).toBeLessThan(5000);
  expect(await timed(other.changed(300, NEVER))).toBeGreaterThan(250);
  watcher.stop();
});

test('after a lost connection each waiter reads once, and later changes are received again', async () => {
  const { url, application, owner } = await aDatabase();
  const { listener, away } = listening(url);
  await eventually(listener.isListening, Boolean);
  const batch = aPaymentBatch();
  const watcher = listener.watch(batch.workflowId);
  const changed = timed(watcher.changed(20_000, NEVER));
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%' or query = 'select 1' and datname = current_database()
  `.execute(owner.db);
  expect(await changed).toBeLessThan(5000);
  await eventually(() => away.length > 0 && listener.isListening(), Boolean);
  await watcher.changed(0, NEVER);
  const again = timed(watcher.changed(20_000, NEVER));
  await createRecords({ db: application.db, keyring: KEYRING }).write(batch);
  expect(await again).toBeLessThan(5000);
});

test('while the database is away, a waiter reads after five seconds at most, or at once when the caller leaves', async () => {
  const { listener, away } = listening(NOWHERE);
  await eventually(() => away.length > 0, Boolean);
  const watcher = listener.watch('payment/pay-1');
  expect(await timed(watcher.changed(20_000, NEVER))).toBeLessThan(6000);
  const gone = new AbortController();
  await watcher.changed(0, NEVER);
  const left = timed(watcher.changed(20_000, gone.signal));
  gone.abort();
  expect(await left).toBeLessThan(1000);
});
