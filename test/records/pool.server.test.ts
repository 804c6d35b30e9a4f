import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openRecords, type RecordsDatabase } from '../../records/database.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch } from '../support/a-batch.js';
import { aDatabase } from '../support/database.js';
import { openLine } from '../support/line.js';
import { KEYRING, eventually } from '../support/temporal.js';

const LIMIT_MS = 300;
const SLOW = sql`select pg_sleep(20)`;

const backendOf = async ({ db }: RecordsDatabase): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
};

async function onALine() {
  const database = await aDatabase();
  const { host, port, ...settings } = recordsUrl.parse(database.url);
  const line = await openLine(`${host}:${port}`);
  onTestFinished(() => line.close());
  const [near = '', nearPort] = line.address.split(':');
  const records = openRecords({ ...settings, host: near, port: Number(nearPort) }, LIMIT_MS);
  onTestFinished(() => records.close());
  return { ...database, line, records };
}

test('a transaction whose BEGIN has a late answer is never used again', async () => {
  const { line, records, owner } = await onALine();
  const first = await backendOf(records);
  const flow = line.silence();
  await expect(records.db.transaction().execute(() => Promise.resolve())).rejects.toThrow(/timeout/);
  flow();
  await pause(50);
  expect(await backendOf(records)).not.toBe(first);
  const batch = aPaymentBatch();
  await createRecords({ db: records.db, keyring: KEYRING }).write(batch);
  const stored = owner.db.selectFrom('payments').select('uid').where('uid', '=', batch.uid);
  expect(await stored.executeTakeFirst()).toEqual({ uid: batch.uid });
});

test('a busy process loses no transaction', async () => {
  const { records, owner } = await onALine();
  await backendOf(records);
  const batches = Array.from({ length: 3 }, (_, index) => aPaymentBatch({ uid: `busy-${index}` }));
  const working = records.db.transaction().execute(() => Promise.resolve());
  await pause(0);
  for (const end = performance.now() + 2 * LIMIT_MS; performance.now() < end;);
  await working.catch(() => undefined);
  for (const batch of batches) await createRecords({ db: records.db, keyring: KEYRING }).write(batch);
  const { rows } = await sql`select 1 from payments where uid like 'busy-%'`.execute(owner.db);
  expect(rows).toHaveLength(batches.length);
});

test('a slow statement is cancelled in the server, and the next one has another connection', async () => {
  const { records, owner } = await onALine();
  const others = await Promise.all([backendOf(records), backendOf(records)]);
  await expect(SLOW.execute(records.db)).rejects.toThrow(/timeout/);
  await backendOf(records);
  await eventually(
    () => sql`select 1 from pg_stat_activity where query like 'select pg_sleep(20)%'`.execute(owner.db),
    ({ rows }) => rows.length === 0,
  );
  // Nothing else was answered meanwhile, so all idle connections are suspect.
  expect(others).not.toContain(await backendOf(records));
});

test('a slow statement beside others that are answered costs only its own connection', async () => {
  const { records } = await onALine();
  const before = new Set(await Promise.all([backendOf(records), backendOf(records), backendOf(records)]));
  const slow = SLOW.execute(records.db).catch(() => undefined);
  await pause(LIMIT_MS / 2);
  await backendOf(records);
  await slow;
  expect(before).toContain(await backendOf(records));
});

test('after a failover without a word, one request fails and the next one connects again', async () => {
  const { line, records } = await onALine();
  await Promise.all(Array.from({ length: 5 }, () => backendOf(records)));
  line.silence();
  await expect(backendOf(records)).rejects.toThrow(/timeout/);
  await expect(backendOf(records)).resolves.toBeGreaterThan(0);
});

test('a server that became read-only is left at once', async () => {
  const { adminUrl, owner, url } = await onALine();
  const readOnly = (is: string) =>
    sql.raw(
      `alter database ${recordsUrl.parse(adminUrl).database} set default_transaction_read_only = ${is}`,
    );
  await readOnly('on').execute(owner.db);
  const old = openRecords(recordsUrl.parse(url), LIMIT_MS);
  onTestFinished(() => old.close());
  const { write } = createRecords({ db: old.db, keyring: KEYRING });
  await expect(write(aPaymentBatch())).rejects.toMatchObject({ code: '25006' });
  await readOnly('off').execute(owner.db);
  await expect(write(aPaymentBatch())).resolves.toEqual({ newest: 2 });
});
