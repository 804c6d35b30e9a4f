import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../support/processes.js';
import { onTheRoad } from '../support/on-the-road.js';
import { KEY } from '../support/serve-api.js';
import { aPayment } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();

async function aBackend(apiUrl: string, port: number, secret: string) {
  const folder = await mkdtemp(join(tmpdir(), 'payto-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const start = async () => {
    const backend = startNode(['--import', 'tsx', 'examples/backend/main.ts'], {
      ...{ PAYTO_URL: apiUrl, PAYTO_API_KEY: KEY, PAYTO_WEBHOOK_SECRET: secret },
      ...{ PORT: String(port), STATE_FILE: join(folder, 'state.json') },
    });
    onTestFinished(() => backend.signal('SIGKILL'));
    await backend.hasWritten(/backend listening/);
    return backend;
  };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers });
  const hasEntry = (uid: string) =>
    eventually(
      () => get('/ledger') as Promise<Record<string, { state: string }>>,
      (ledger) => ledger[uid]?.state === 'settled',
    );
  return { start, get, post, hasEntry };
}

test('the example takes a first payment, receives what it missed, and reconciles', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const port = await getPort();
    const hook = { url: `http://127.0.0.1:${port}/webhooks`, types: ['agreement.*', 'payment.*'] };
    const endpoint = await road.post(
      '/v1/webhook-endpoints',
      { ...hook, connections: [connection] },
      { 'idempotency-key': randomUUID() },
    );
    expect(endpoint.status).toBe(201);
    const secret = String(endpoint.body['secret']);
    const { start, get, post, hasEntry } = await aBackend(road.url, port, secret);
    const first = await start();
    const agreement = `agr-${randomUUID()}`;
    const payer = { agreement, connection, name: 'A Payer', account: '200001-12340001', first_payment: 4200 };
    expect((await post('/payers', JSON.stringify(payer))).status).toBe(202);
    await hasEntry(`${agreement}-first`);
    const { path } = { path: `/v1/webhook-endpoints/${String(endpoint.body['id'])}/deliveries` };
    await eventually(
      async () => (await road.get(`${path}?outcome=delivered`)).body['data'],
      (deliveries) => Array.isArray(deliveries) && deliveries.length > 0,
    );

    first.signal('SIGKILL');
    await first.ended;
    const missed = aPayment();
    await road.backend.pay(agreement, missed, { wait: 20 });
    await start();
    const ledger = await hasEntry(missed.uid);
    // The records of the tests have payments of others too.
    expect(Object.keys(ledger)).toEqual(expect.arrayContaining([`${agreement}-first`, missed.uid]));

    const day = Reflect.get(ledger[missed.uid] ?? {}, 'settledOn') as string;
    const total = { count: 2, amount: 4200 + missed.amount };
    await eventually(
      () =>
        get(`/reconciliation/${day}?connection=${connection}`) as Promise<{
          ledger: unknown;
          api: { count: number };
        }>,
      ({ api }) => api.count === 2,
    ).then((day) => expect(day).toMatchObject({ api: total }));

    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const signed = new Webhook(`whsec_${'A'.repeat(40)}`).sign('evt_1', new Date(), '{}');
    expect((await post('/webhooks', '{}', { ...forged, 'webhook-signature': signed })).status).toBe(400);
  });
});
