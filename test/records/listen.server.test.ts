import { onTestFinished, expect, test } from 'vitest';
import { sql } from 'kysely';
import { listen } from '../../records/listen.js';
import { NO_PROGRESS } from '../../records/progress.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { createRecords } from '../../records/write.js';
import { aDatabase, opened } from '../support/database.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { KEYRING, eventually } from '../support/temporal.js';
import { NOWHERE } from '../support/records.js';
import type { RecordsDatabase } from '../../records/database.js';

const NEVER = new AbortController().signal;

function listening(url: string, { db } = opened(url)) {
  const away: unknown[] = [];
  const onAway = (error: unknown) => void away.push(error);
  const listener = listen({ settings: recordsUrl.parse(url), db, onAway, progress: NO_PROGRESS });
  onTestFinished(() => listener.close());
  return { listener, away };
}

async function timed(wait: Promise<void>): Promise<number> {
  const from = performance.now();
  await wait;
  return performance.now() - from;
}

const cutOff = ({ db }: RecordsDatabase) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query ilike 'listen%' or query = 'select 1')`.execute(db);

test('a replaced row ends the wait for its workflow, and for no other', async () => {
  const { url, application } = await aDatabase();
  const records = createRecords({ db: application.db, keyring: KEYRING });
  const { listener, away } = listening(url);
  await eventually(listener.isListening, Boolean);
  const batch = aPaymentBatch();
  const [watcher, other] = [listener.watch(batch.workflowId), listener.watch('stop')];
  await Promise.all([watcher, other].map(({ changed }) => changed(20_000, NEVER)));
  const changed = timed(watcher.changed(20_000, NEVER));
  await records.write(batch);
  expect(await changed).toBeLessThan(4000);
  expect(await timed(other.changed(300, NEVER))).toBeGreaterThan(250);
  expect(away).toEqual([]);
});

test('a change without its notification is seen after the reconnect, and later changes are received again', async () => {
  const { url, application, owner } = await aDatabase();
  const { listener, away } = listening(url);
  const records = createRecords({ db: application.db, keyring: KEYRING });
  await eventually(listener.isListening, Boolean);
  const [batch, later] = [aPaymentBatch(), aPaymentBatch()];
  const [watcher, other] = [listener.watch(batch.workflowId), listener.watch(later.workflowId)];
  await Promise.all([watcher, other].map(({ changed }) => changed(20_000, NEVER)));
  await cutOff(owner);
  await eventually(() => away.length > 0, Boolean);
  await records.write(batch);
  expect(await timed(watcher.changed(20_000, NEVER))).toBeLessThan(6000);
  await eventually(listener.isListening, Boolean);
  const changed = timed(other.changed(20_000, NEVER));
  await records.write(later);
  expect(await changed).toBeLessThan(4000);
});

test('a caller who leaves ends the wait, also while the database is away', async () => {
  const { listener, away } = listening(NOWHERE);
  await eventually(() => away.length > 0, Boolean);
  const gone = new AbortController();
  const left = timed(listener.watch('payment/pay-1').changed(20_000, gone.signal));
  gone.abort();
  expect(await left).toBeLessThan(1000);
});
