// A thousand agreements started as one batch and identified as another, whose worker is killed in the midst: each is added once.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { anAgreement, openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/worker-process.js';
import type { Road } from '../support/road.js';

const MANY = 1000;
const SOME = 200;
const LIMIT_MS = 900_000;

const temporal = useTemporal();
const taskQueue = `batch-${randomUUID()}`;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Registered as the primary client is, which initiates agreements that name none. */
async function aClient({ backend, sandbox }: Road, connection: string): Promise<string> {
  const uid = `cli-${randomUUID()}`;
  await backend.register({
    ...{ uid, connection, legal_name: 'Sandbox Biller Pty Ltd', business_names: ['Sandbox Biller'] },
    ...{ australian_business_number: '53004085616', australian_company_number: '004085616' },
    ...{ merchant_category_code: '4900', services: ['payto'] },
  });
  const { client_id } = await backend.untilClient(uid, ({ state }) => state === 'pending');
  if (client_id === null) throw new Error('expected the provider to have given an id');
  sandbox.control.setClientService(client_id, 'payto', 'active');
  return client_id;
}

const until = (road: Road, id: string, state: string) =>
  eventually(
    async () => (await road.get(`/v1/batches/${id}`)).body,
    (body) => body['state'] === state,
  );

const takenOf = ({ sandbox }: Road, operation: string) =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'call' &&
      entry.operation === operation &&
      typeof entry.status === 'number' &&
      entry.status < 300
        ? [entry.resource_uid]
        : [],
    );

test(
  'bulk identification of a thousand agreements goes on after its worker is killed, and none is added twice',
  async () => {
    const road = await openRoad(temporal, taskQueue);
    closing.push(() => road.close());
    const connection = `con-${randomUUID()}`;
    road.sandbox.control.setWebhookUrl(`${road.url}/webhooks/${connection}`);
    let worker = await startWorkerProcess(road, taskQueue, road.sandbox.url);
    closing.push(() => worker.kill());
    expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });

    const agreements = Array.from({ length: MANY }, () => anAgreement());
    const uids = agreements.map(({ uid }) => uid);
    const [starts, identifies] = [`b-${randomUUID()}`, `i-${randomUUID()}`];
    const asked = { id: starts, connection, kind: 'agreements', rows: agreements };
    expect(await road.post('/v1/batches', asked)).toMatchObject({ status: 202 });
    expect(await until(road, starts, 'done')).toMatchObject({ counts: { done: MANY } });
    expect(takenOf(road, 'create_agreement').sort()).toEqual([...uids].sort());

    const client_id = await aClient(road, connection);
    const rows = uids.map((uid) => ({ uid }));
    await road.post('/v1/identifications', { id: identifies, initiator: { client_id }, rows });
    await eventually(
      () => takenOf(road, 'add_identification').length,
      (taken) => taken >= SOME,
    );
    await worker.kill();
    const before = takenOf(road, 'add_identification').length;
    expect(before).toBeLessThan(MANY);
    worker = await startWorkerProcess(road, taskQueue, road.sandbox.url);
    expect(await until(road, identifies, 'done')).toMatchObject({ counts: { done: MANY } });
    expect(takenOf(road, 'add_identification').sort()).toEqual([...uids].sort());
  },
  LIMIT_MS,
);
