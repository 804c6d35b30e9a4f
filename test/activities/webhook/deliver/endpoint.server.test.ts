import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, inject, test } from 'vitest';
import { FEED_START, newestPlace } from '../../../../records/events.js';
import {
  aConnection,
  aReceiver,
  addCursor,
  anEndpoint,
  delivering,
  readingsOf,
  reportsWith,
  secretOf,
} from '../../../support/webhooks.js';
import { opened } from '../../../support/database.js';
import { eventually } from '../../../support/temporal.js';
import type { RecordsDatabase } from '../../../../records/database.js';

const HOUR = 3_600_000;

let records: RecordsDatabase;
let readings: ReturnType<typeof readingsOf>;
beforeEach(() => {
  records = opened(inject('recordsUrl'));
  readings = readingsOf(records);
});

const rowOf = (id: string) =>
  records.db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test.each([
  ['gone', 410, 0],
  ['failing', 500, 73 * HOUR],
] as const)(
  'an endpoint is disabled as %s, keeps its progress, and continues once enabled',
  async (because, status, later) => {
    const connection = aConnection();
    const uid = `report-${randomUUID()}`;
    let clock = Date.now();
    let answer: number = status;
    const { url, received } = await aReceiver(() => answer);
    const id = await anEndpoint(records, url, connection);
    await reportsWith(records, connection, 2, [uid]);
    const { report } = delivering(records, id, () => clock);
    if (later > 0)
      await eventually(
        () => readings.waitingOf(id),
        ({ length }) => length === 1,
      );
    clock += later;
    expect(['again', 'disabled']).toContain((await report).is);
    expect(await rowOf(id)).toMatchObject({ status: 'disabled', disabled_because: because });
    expect((await rowOf(id)).attention).toMatchObject([{ code: 'endpoint_disabled' }]);
    expect((await delivering(records, id).report).is).toBe('disabled');
    await readings.ownEvents(id, ['webhook_endpoint.disabled', 'attention.raised']);
    answer = 200;
    await records.db
      .updateTable('webhook_endpoints')
      .set({ status: 'enabled' })
      .where('id', '=', id)
      .execute();
    delivering(records, id, () => clock);
    await eventually(
      () => Promise.resolve(received),
      (all) => all.filter((one) => one.status === 200).length === 2,
    );
  },
);

test('only one activity works with an endpoint: the older one ends', async () => {
  const { url } = await aReceiver(() => 200);
  const id = await anEndpoint(records, url, aConnection());
  const older = delivering(records, id);
  const lease = await eventually(
    () =>
      records.db
        .selectFrom('webhook_cursors')
        .select('lease')
        .where('endpoint_id', '=', id)
        .executeTakeFirst(),
    (cursor) => typeof cursor?.lease === 'string',
  );
  const newer = delivering(records, id);
  await expect(older.report).rejects.toMatchObject({ name: 'WebhookLeaseLost' });
  expect((await newer.stop()).is).toBe('again');
  expect(lease?.lease).not.toBe('');
});

test('an endpoint that was enabled again begins anew, although its activity has not read that it was disabled', async () => {
  const { url } = await aReceiver(() => 500);
  const connection = aConnection();
  const id = await anEndpoint(records, url, connection);
  await reportsWith(records, connection, 1, [`report-${randomUUID()}`]);
  let clock = Date.now();
  const older = delivering(records, id, () => clock);
  for (const attempts of [1, 2]) {
    await eventually(
      () => readings.waitingOf(id),
      ([waiting]) => waiting?.attempts === attempts,
    );
    clock += 6000;
  }
  const lost = expect(older.report).rejects.toMatchObject({ name: 'WebhookLeaseLost' });
  await records.db
    .updateTable('webhook_cursors')
    .set({ lease: null })
    .where('endpoint_id', '=', id)
    .execute();
  await lost;
  delivering(records, id, () => clock);
  await eventually(
    () => readings.waitingOf(id),
    ([waiting]) => waiting?.attempts === 1 && waiting.since.getTime() === clock,
  );
});

test('a replay delivers what was recorded before, besides the live events, and ends', async () => {
  const connection = aConnection();
  const [old, fresh] = [`report-${randomUUID()}`, `report-${randomUUID()}`];
  await reportsWith(records, connection, 2, [old]);
  const { url, received } = await aReceiver(() => 200);
  const id = await anEndpoint(records, url, connection);
  delivering(records, id);
  await addCursor(records, id, 'replay-1', FEED_START, await newestPlace(records));
  await reportsWith(records, connection, 1, [fresh]);
  await eventually(
    () =>
      records.db
        .selectFrom('webhook_cursors')
        .select('ended_at')
        .where('id', '=', 'replay-1')
        .where('endpoint_id', '=', id)
        .executeTakeFirst(),
    (cursor) => cursor?.ended_at != null,
  );
  await eventually(
    () => Promise.resolve(received),
    ({ length }) => length === 3,
  );
  const cursorsOf = (uid: string) =>
    readings
      .attemptsOf(id)
      .then((all) => all.filter((one) => one.uid === uid).map(({ cursor_id: cursor }) => cursor));
  expect(await cursorsOf(old)).toEqual(['replay-1', 'replay-1']);
  expect(await cursorsOf(fresh)).toEqual(['live']);
});

test('both secrets sign until the older one expires, also in the middle of deliveries', async () => {
  const connection = aConnection();
  const [one, other] = [secretOf('1'), secretOf('2')];
  const { url, received } = await aReceiver(() => 200);
  const id = await anEndpoint(records, url, connection, [one, other]);
  delivering(records, id);
  await reportsWith(records, connection, 1, [`report-${randomUUID()}`]);
  await eventually(
    () => Promise.resolve(received),
    ({ length }) => length === 1,
  );
  const [first] = received;
  for (const secret of [one, other]) new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {});
  const oldest = records.db
    .selectFrom('webhook_secrets')
    .where('endpoint_id', '=', id)
    .orderBy('created_at')
    .limit(1);
  const expired = { expires_at: new Date(0) };
  await records.db
    .updateTable('webhook_secrets')
    .set(expired)
    .where('id', 'in', oldest.select('id'))
    .execute();
  await reportsWith(records, connection, 1, [`report-${randomUUID()}`]);
  await eventually(
    () => Promise.resolve(received),
    ({ length }) => length === 2,
  );
  const [, second] = received;
  new Webhook(other).verify(second?.body ?? '', second?.headers ?? {});
  expect(() => new Webhook(one).verify(second?.body ?? '', second?.headers ?? {})).toThrow('No matching');
});
