import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, expect, inject, test } from 'vitest';
import { sendWebhookOnceActivity } from '../../../activities/webhook/send-once.js';
import { readEvents } from '../../../records/events.js';
import {
  aConnection,
  aReceiver,
  anEndpoint,
  delivering,
  readingsOf,
  reportsWith,
} from '../../support/webhooks.js';
import { opened } from '../../support/database.js';
import { KEYRING } from '../../support/temporal.js';
import type { RecordsDatabase } from '../../../records/database.js';

let records: RecordsDatabase;
let readings: ReturnType<typeof readingsOf>;
beforeEach(() => {
  records = opened(inject('recordsUrl'));
  readings = readingsOf(records);
});

test('a test event and a resent event are sent once, also while the endpoint is disabled', async () => {
  const connection = aConnection();
  const uid = `report-${randomUUID()}`;
  const { url, received } = await aReceiver(() => 200);
  const id = await anEndpoint(records, url, connection);
  await reportsWith(records, connection, 1, [uid]);
  await records.db
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled' })
    .where('id', '=', id)
    .execute();
  const { report, deps } = delivering(records, id);
  expect((await report).is).toBe('disabled');
  const { events } = await readEvents({ db: records.db, keyring: KEYRING }, { filter: { uid }, limit: 1 });
  const eventId = events[0]?.id ?? '';
  const send = (endpointId: string, event: { test: true } | { eventId: string }) =>
    new MockActivityEnvironment().run(sendWebhookOnceActivity(deps), { endpointId, event });
  expect(await send(id, { test: true })).toMatchObject({ outcome: 'delivered', status: 200 });
  expect(await send(id, { eventId })).toMatchObject({ outcome: 'delivered' });
  expect(received.map(({ type }) => type)).toEqual(['webhook_endpoint.test', 'settlement.reported']);
  expect((await readings.attemptsOf(id)).map(({ cursor_id: cursor }) => cursor)).toEqual([
    'manual',
    'manual',
  ]);
  expect(await send(id, { eventId: 'evt_none' })).toEqual({ refused: 'event_unknown' });
  expect(await send('we_none', { test: true })).toEqual({ refused: 'endpoint_unknown' });
  const stranger = await anEndpoint(records, url, aConnection());
  expect(await send(stranger, { eventId })).toEqual({ refused: 'event_unknown' });
  const ofEndpoint = records.db.selectFrom('webhook_cursors').where('endpoint_id', '=', id);
  expect((await ofEndpoint.select('last_success_at').executeTakeFirst())?.last_success_at).toBeInstanceOf(
    Date,
  );
  const long = { key_confirmed_at: new Date(Date.now() - 6 * 60_000) };
  for (const status of ['disabled', 'enabled']) {
    const ours = records.db.updateTable('webhook_endpoints').where('id', '=', id);
    await ours.set({ ...long, status }).execute();
    expect(await send(id, { test: true })).toEqual({ refused: 'key_unconfirmed' });
  }
});
