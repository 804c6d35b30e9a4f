import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { onTestFinished } from 'vitest';
import { deliverWebhooksActivity, type DeliveryReport } from '../../activities/webhook/deliver.js';
import { newestPlace, readEvents } from '../../records/events.js';
import { storeOwnEvent } from '../../records/own-events.js';
import { sealWebhook } from '../../records/sealed.js';
import { webhookRows } from '../../worker/webhooks.js';
import { aSweepDependencies } from './a-sweep.js';
import { NO_WEBHOOKS } from './no-records.js';
import { KEYRING, eventually } from './temporal.js';
import type { WebhookSettings } from '../../activities/dependencies.js';
import type { RecordsDatabase } from '../../records/database.js';
import type { Place } from '../../records/feed.js';
import type { Insertable } from 'kysely';
import type { Tables } from '../../records/tables.js';
import type { Keyring } from '../../sealing/keyring.js';

export const secretOf = (letter: string): string => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;

export interface Received {
  id: string;
  uid: string;
  type: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers each request with the status that `answers` has for it. */
export async function aReceiver(answers: (event: Omit<Received, 'status'>) => number) {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { id, type, resource } = JSON.parse(body) as {
        id: string;
        type: string;
        resource: { uid: string };
      };
      const event = { id, type, uid: resource.uid, headers: request.headers as Record<string, string>, body };
      const status = answers(event);
      received.push({ ...event, status });
      response.writeHead(status).end('an answer');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port ?? 0}/`, received };
}

export async function anEndpoint(
  records: RecordsDatabase,
  url: string,
  connection: string,
  secrets = [secretOf('1')],
) {
  const { db } = records;
  const id = `we_${randomUUID()}`;
  const now = new Date();
  await db
    .insertInto('webhook_endpoints')
    .values({
      ...{
        id,
        principal: 'shop',
        api_key_id: 'shop',
        request_key: id,
        types: ['settlement.*'],
        connections: null,
      },
      ...{ form: 'full', status: 'enabled', disabled_because: null, disabled_at: null, key_scopes: ['read'] },
      ...{ key_connections: [connection], key_confirmed_at: now, updated_at: now },
      ...sealWebhook(KEYRING, 'webhook_endpoints', id, { url }),
    })
    .execute();
  for (const secret of secrets) {
    const of = randomUUID();
    await db
      .insertInto('webhook_secrets')
      .values({
        id: of,
        endpoint_id: id,
        expires_at: null,
        ...sealWebhook(KEYRING, 'webhook_secrets', of, { secret }),
      })
      .execute();
  }
  await addCursor(records, id, 'live', await newestPlace(records));
  return id;
}

export async function addCursor(
  records: RecordsDatabase,
  endpointId: string,
  id: string,
  [era, transaction, position]: Place,
  until?: Place,
) {
  const [until_era, until_transaction, until_position] = until ?? [null, null, null];
  await records.db
    .insertInto('webhook_cursors')
    .values({
      ...{
        endpoint_id: endpointId,
        id,
        era,
        transaction,
        position,
        until_era,
        until_transaction,
        until_position,
      },
      ...{ types: null, lease: null, last_success_at: null, failing_since: null, ended_at: null },
    })
    .execute();
}

/** So many events of each of these reports. They can be read once it ends, which transactions of other tests may delay. */
export async function reportsWith(
  records: RecordsDatabase,
  connectionId: string,
  events: number,
  uids: readonly string[],
  first = 1,
): Promise<void> {
  for (const uid of uids)
    for (let number = first; number < first + events; number += 1)
      await storeOwnEvent(
        { db: records.db, keyring: KEYRING },
        {
          ...({ type: 'settlement.reported', resource: 'settlement', uid, connectionId } as const),
          ...{ at: new Date(), what: String(number), view: { number } },
        },
      );
  await eventually(
    () => readEvents({ db: records.db, keyring: KEYRING }, { filter: { uid: uids.at(-1) }, limit: 1000 }),
    (page) => page.events.length >= first - 1 + events,
  );
}

/** As if rows changed all the time, so that no test waits for the next look at them. */
const IMPATIENT: WebhookSettings['watchAll'] = () => ({
  changed: (ms, signal) => delay(Math.min(ms, 20), undefined, { signal }).catch(() => undefined),
  stop: () => undefined,
});

/** Runs the activity until the test has ended. */
export function delivering(records: RecordsDatabase, endpointId: string, now: () => number = Date.now) {
  const stopping = new AbortController();
  const deps = {
    ...aSweepDependencies({}),
    now,
    webhooks: { ...NO_WEBHOOKS, watchAll: IMPATIENT, stopping: stopping.signal },
  };
  Object.assign(
    deps.records,
    webhookRows({ db: records.db, keyring: KEYRING }, 'default', () => undefined),
  );
  const env = new MockActivityEnvironment();
  const report: Promise<DeliveryReport> = env.run(deliverWebhooksActivity(deps), { endpointId });
  const stop = async () => {
    stopping.abort();
    return report;
  };
  onTestFinished(async () => void (await stop().catch(() => undefined)));
  return { report, stop, deps };
}

/** What the records have of an endpoint and its deliveries. */
export const readingsOf = (records: RecordsDatabase) => ({
  attemptsOf: (id: string) =>
    records.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('endpoint_id', '=', id)
      .orderBy('at')
      .execute(),
  waitingOf: (id: string) =>
    records.db.selectFrom('webhook_waiting').selectAll().where('endpoint_id', '=', id).execute(),
  /** The events about it. They can be read once no older transaction is open. */
  ownEvents: (id: string, types: readonly string[]) =>
    eventually(
      () => readEvents({ db: records.db, keyring: KEYRING }, { filter: { uid: id }, limit: 9 }),
      ({ events }) => events.map(({ type }) => type).join() === types.join(),
    ),
});

export const aConnection = (): string => `con-${randomUUID()}`;

/** An attempt whose receiver has answered with a text. */
export function aWebhookDelivery(
  keyring: Keyring,
  over: Partial<Insertable<Tables['webhook_deliveries']>> = {},
): Insertable<Tables['webhook_deliveries']> {
  const id = randomUUID();
  return {
    ...{ id, endpoint_id: 'we', cursor_id: 'live', event_id: 'evt', event_type: 'payment.settled' },
    ...{ resource: 'payment', uid: 'pay-1', era: 1, transaction: '1', position: 1, attempt: 1 },
    ...{
      at: new Date('2026-11-01T02:03:04Z'),
      duration_ms: 1,
      outcome: 'failed',
      status: 500,
      problem: 'status',
    },
    ...sealWebhook(keyring, 'webhook_deliveries', id, { answer: 'an answer' }),
    ...over,
  };
}
