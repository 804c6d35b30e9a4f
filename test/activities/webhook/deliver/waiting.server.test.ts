import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, inject, test } from 'vitest';
import { readEvents } from '../../../../records/events.js';
import {
  aConnection,
  aReceiver,
  anEndpoint,
  delivering,
  readingsOf,
  reportsWith,
} from '../../../support/webhooks.js';
import { opened } from '../../../support/database.js';
import { KEYRING, eventually } from '../../../support/temporal.js';
import type { RecordsDatabase } from '../../../../records/database.js';

const HOUR = 3_600_000;

let records: RecordsDatabase;
let readings: ReturnType<typeof readingsOf>;
beforeEach(() => {
  records = opened(inject('recordsUrl'));
  readings = readingsOf(records);
});

test('a resource with a failed event waits, in order, and holds up no other', async () => {
  const connection = aConnection();
  const [failing, good] = [`report-${randomUUID()}`, `report-${randomUUID()}`];
  let status = 500;
  let clock = Date.now();
  const { url, received } = await aReceiver(({ uid }) => (uid === failing ? status : 200));
  const id = await anEndpoint(records, url, connection);
  await reportsWith(records, connection, 3, [failing, good]);
  delivering(records, id, () => clock);
  await eventually(
    () => Promise.resolve(received),
    (all) => all.filter(({ uid }) => uid === good).length === 3,
  );
  await eventually(
    () => readings.waitingOf(id),
    (waiting) => waiting[0]?.attempts === 1,
  );
  status = 200;
  clock += 6000;
  const delivered = await eventually(
    () => readings.attemptsOf(id),
    (attempts) => attempts.filter(({ outcome }) => outcome === 'delivered').length === 6,
  );
  const { events } = await readEvents(
    { db: records.db, keyring: KEYRING },
    { filter: { uid: failing }, limit: 9 },
  );
  const ids = events.map((event) => event.id);
  expect(received.filter(({ uid }) => uid === failing).map((event) => event.id)).toEqual([ids[0], ...ids]);
  const ofFailing = delivered
    .filter(({ uid }) => uid === failing)
    .toSorted((one, other) => Number(one.position) - Number(other.position) || one.attempt - other.attempt);
  expect(ofFailing.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
    ['failed', 1],
    ['delivered', 2],
    ['delivered', 1],
    ['delivered', 1],
  ]);
  await eventually(
    () => readings.waitingOf(id),
    ({ length }) => length === 0,
  );
});

test('an event that failed for three days is set aside with a flag that names it, and its resource continues', async () => {
  const connection = aConnection();
  const [failing, good] = [`report-${randomUUID()}`, `report-${randomUUID()}`];
  let clock = Date.now();
  let first: string | undefined;
  const { url, received } = await aReceiver((event) => {
    if (event.uid === failing) first ??= event.id;
    return event.id === first ? 503 : 200;
  });
  const id = await anEndpoint(records, url, connection);
  await reportsWith(records, connection, 2, [failing]);
  const { report } = delivering(records, id, () => clock);
  await eventually(
    () => readings.waitingOf(id),
    (waiting) => waiting[0]?.attempts === 1,
  );
  clock += 71 * HOUR;
  await reportsWith(records, connection, 1, [good]);
  await eventually(
    () => readings.waitingOf(id),
    (waiting) => waiting[0]?.attempts === 2 && received.some(({ uid }) => uid === good),
  );
  clock += 2 * HOUR;
  const { is, attention } = await report;
  expect(is).toBe('again');
  expect(attention).toMatchObject([{ code: 'undelivered' }]);
  expect(attention[0]?.detail).toContain(
    `Event ${first ?? ''} (settlement.reported of settlement ${failing})`,
  );
  expect(attention[0]?.detail).toContain('answered 503');
  expect(received.filter(({ uid, status }) => uid === failing && status === 200)).toHaveLength(1);
  expect((await readings.attemptsOf(id)).filter(({ outcome }) => outcome === 'set_aside')).toHaveLength(1);
  await readings.ownEvents(id, ['attention.raised']);
});

test('no event is lost while events are recorded and every eighth request fails', async () => {
  const connection = aConnection();
  const uids = Array.from({ length: 20 }, () => `report-${randomUUID()}`);
  let requests = 0;
  const { url, received } = await aReceiver(() => ((requests += 1) % 8 === 0 ? 500 : 200));
  const id = await anEndpoint(records, url, connection);
  const startedAt = Date.now();
  delivering(records, id, () => startedAt + (Date.now() - startedAt) * 1000);
  for (let number = 1; number <= 15; number += 1) await reportsWith(records, connection, 1, uids, number);
  const accepted = await eventually(
    () => Promise.resolve(new Map(received.flatMap((one) => (one.status === 200 ? [[one.id, one]] : [])))),
    ({ size }) => size === 300,
  );
  for (const uid of uids) {
    const numbers = [...accepted.values()]
      .filter((event) => event.uid === uid)
      .map(({ body }) => (JSON.parse(body) as { data: { number: number } }).data.number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  }
  await eventually(
    () => readings.waitingOf(id),
    ({ length }) => length === 0,
  );
});

test('a flag says so if so many resources wait that no others are delivered', async () => {
  const connection = aConnection();
  const { url, received } = await aReceiver(() => 200);
  const id = await anEndpoint(records, url, connection);
  await sql`
    insert into webhook_waiting (endpoint_id, cursor_id, workflow_id, era, transaction, position, since, attempts, next_at)
    select ${id}, 'live', n::text, 0, '0', 0, now(), 1, now() + interval '1 hour' from generate_series(1, 1000) n`.execute(
    records.db,
  );
  const live = records.db.updateTable('webhook_cursors').where('endpoint_id', '=', id);
  await live.set({ lease: 'before' }).execute();
  await reportsWith(records, connection, 1, [`report-${randomUUID()}`]);
  const { attention } = await delivering(records, id).report;
  expect(attention).toMatchObject([{ code: 'undelivered' }]);
  expect(attention[0]?.detail).toContain('1000 resources wait');
  await readings.ownEvents(id, ['attention.raised']);
  expect(received).toEqual([]);
});
