import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, inject, onTestFinished, test } from 'vitest';
import { eventIdOf } from '../../records/event-columns.js';
import { sealEntry } from '../../records/sealed.js';
import { freePort } from '../../temporal-server/free-port.js';
import { aReceiver } from '../support/webhooks.js';
import { API } from '../support/environments.js';
import { builtOf, startNode, printed, startWorkerProcess } from '../support/processes.js';
import { opened } from '../support/database.js';
import { openRoad, type Road } from '../support/road.js';
import { KEYRING, eventually, useTemporal } from '../support/temporal.js';

const EVENTS = 2000;
const RESOURCES = 500;
const KILLS = 2;
const KEY = 'a-key-of-this-test';

const temporal = useTemporal();

async function startApiProcess({ keyring }: Road, taskQueue: string, port: number) {
  const api = startNode([builtOf('api')], {
    ...API,
    ...{
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TASK_QUEUE: taskQueue,
      RECORDS_URL: inject('recordsUrl'),
    },
    ...{ ENCRYPTION_KEYS: printed(keyring), API_PORT: String(port), ADMIN_PORT: '0', INSECURE_SANDBOX: 'on' },
    API_KEYS: `key:backend:read+write:${createHash('sha256').update(KEY).digest('hex')}`,
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  });
  await api.hasWritten(/api listening/);
  return {
    kill: async () => {
      api.signal('SIGKILL');
      await api.ended;
    },
  };
}

/** Stores the events of all resources in one statement: number 1 of each, then number 2 of each. */
async function storeEvents(uids: readonly string[], connectionId: string): Promise<void> {
  const { db } = opened(inject('recordsUrl'));
  const entries = Array.from({ length: EVENTS }, (_, index) => {
    const uid = uids[index % uids.length] ?? '';
    const [workflowId, sequence] = [`events/settlement/${uid}`, index + 1];
    const id = { workflowId, sequence, kind: 'decision' };
    return {
      ...{
        workflow_id: workflowId,
        sequence,
        task_follows: null,
        resource: 'settlement',
        uid,
        kind: 'decision',
      },
      ...{ connection_id: connectionId, name: 'reported', fact_id: null, is_authenticated: null },
      ...{ occurred_at: new Date(), event: 'settlement.reported', event_id: eventIdOf(uid, sequence) },
      era: sql<number>`(select era from feed_era)`,
      ...sealEntry(KEYRING, { ...id, connectionId }, { event: { view: { number: sequence } } }),
    };
  });
  await db.insertInto('entries').values(entries).execute();
}

test('2,000 events reach an endpoint that fails every third time, in order, while workers and APIs are killed', async () => {
  const taskQueue = `webhooks-killed-${randomUUID()}`;
  const road = await openRoad(temporal, taskQueue, Date.now);
  onTestFinished(() => road.close());
  const connection = `con-${randomUUID()}`;
  const firstAttempts = new Set<string>();
  const { url, received } = await aReceiver(({ id }) => {
    const isFirst = !firstAttempts.has(id);
    firstAttempts.add(id);
    return isFirst && firstAttempts.size % 3 === 0 ? 500 : 200;
  });
  const port = await freePort();
  const start = () =>
    Promise.all([
      startApiProcess(road, taskQueue, port),
      startWorkerProcess(road, taskQueue, road.sandbox.url),
    ]);
  let processes = await start();
  const kill = () => Promise.all(processes.map((one) => one.kill()));
  onTestFinished(async () => void (await kill()));
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': taskQueue,
    },
    body: JSON.stringify({ url, types: ['settlement.*'] }),
  });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: { secret: string } };
  const uids = Array.from({ length: RESOURCES }, () => `report-${randomUUID()}`);
  await storeEvents(uids, connection);
  const ours = new Set(uids);
  const delivered = () =>
    new Set(received.flatMap(({ id, uid, status }) => (ours.has(uid) && status === 200 ? [id] : [])));
  const reaches = (count: number) =>
    eventually(
      () => delivered().size,
      (reached) => reached >= count,
    );
  for (let turn = 1; turn <= KILLS; turn += 1) {
    await reaches(turn * 200);
    await kill();
    processes = await start();
  }
  await reaches(EVENTS);
  const webhook = new Webhook(data.secret);
  for (const { body, headers } of received) webhook.verify(body, headers);
  for (const uid of uids) {
    const accepted = received.filter((event) => event.uid === uid && event.status === 200);
    const numbers = accepted.map(
      ({ body }) => (JSON.parse(body) as { data: { number: number } }).data.number,
    );
    const first = [...new Set(numbers)];
    expect(first).toEqual(first.toSorted((one, other) => one - other));
    expect(first).toHaveLength(EVENTS / RESOURCES);
  }
});
