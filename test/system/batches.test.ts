import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { active } from '../support/on-the-road.js';
import { aPayment, anAgreement, openRoad, type Road } from '../support/road.js';
import { sizeOf } from '../support/size.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/processes.js';
import { A_BUSINESS } from '../support/workflows/provider.js';

const MANY = sizeOf(30, 1000);
const SOME = MANY / 10;
const PAYMENTS_PER_AGREEMENT = 5;
const RATE = { PAYMENTS_RATE_PER_SECOND: '25', PAYMENTS_RATE_BURST: '5' };

const temporal = useTemporal();
const taskQueue = `batch-${randomUUID()}`;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function aClient({ backend, sandbox }: Road, connection: string): Promise<string> {
  const uid = `cli-${randomUUID()}`;
  await backend.register({
    ...A_BUSINESS,
    ...{ legal_name: 'Sandbox Biller Pty Ltd', business_names: ['Sandbox Biller'] },
    ...{ uid, connection, merchant_category_code: '4900' },
    ...{ australian_company_number: '004085616', company_incorporation_date: '2019-06-01' },
  });
  const { client_id } = await backend.untilClient(uid, ({ state }) => state === 'pending');
  if (client_id === null) throw new Error('expected the provider to assign a client id');
  sandbox.control.setClientService(client_id, 'payto', 'active');
  await backend.lookUpClient(uid);
  await backend.untilClient(uid, ({ state }) => state === 'active');
  return client_id;
}

const untilDone = async (road: Road, id: string): Promise<void> => {
  const { body } = await eventually(
    () => road.get(`/v1/batches/${id}`),
    ({ body: { state } }) => state === 'done',
  );
  expect(body).toMatchObject({ counts: { done: MANY } });
};

const takenBy = ({ sandbox }: Road, operation: string): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'call' && entry.operation === operation && Number(entry.status) < 300
        ? [entry.resource_uid ?? '']
        : [],
    );

test(`batches of ${MANY} rows send each row once after a worker kill and let a single payment through`, async () => {
  const road = await openRoad(temporal, taskQueue);
  closing.push(() => road.close());
  const connection = `con-${randomUUID()}`;
  road.sandbox.control.setWebhookUrl(`${road.url}/webhooks/${connection}`);
  const startWorker = () => startWorkerProcess(road, taskQueue, road.sandbox.url, RATE);
  let worker = await startWorker();
  closing.push(() => worker.kill());
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const untilTaken = (operation: string, count: number) =>
    eventually(
      () => takenBy(road, operation).length,
      (taken) => taken >= count,
    );

  const agreements = Array.from({ length: MANY }, () => anAgreement());
  const [starts, identifies, pays] = ['s', 'i', 'p'].map((name) => `${name}-${randomUUID()}`);
  const asked = { id: starts, connection, kind: 'agreements', rows: agreements };
  expect(await road.post('/v1/batches', asked)).toMatchObject({ status: 202 });
  await untilDone(road, starts ?? '');
  const uids = agreements.map(({ uid }) => uid).sort();
  expect(takenBy(road, 'create_agreement').sort()).toEqual(uids);

  const paying = await Promise.all(
    Array.from({ length: Math.ceil(MANY / PAYMENTS_PER_AGREEMENT) }, () => active(road, connection)),
  );
  const payments = Array.from({ length: MANY }, (_, index) => ({
    ...aPayment(undefined, { amount: 100 }),
    agreement_uid: paying[index % paying.length],
  }));
  const client_id = await aClient(road, connection);
  const rows = uids.map((uid) => ({ uid }));
  for (const [path, body] of [
    ['/v1/identifications', { id: identifies, initiator: { client_id }, rows }],
    ['/v1/batches', { id: pays, kind: 'payments', rows: payments }],
  ] as const)
    expect(await road.post(path, body)).toMatchObject({ status: 202 });
  await Promise.all([untilTaken('add_identification', SOME), untilTaken('create_payment', SOME)]);
  await worker.kill();
  for (const operation of ['add_identification', 'create_payment'])
    expect(takenBy(road, operation).length).toBeLessThan(MANY);

  worker = await startWorker();
  await untilTaken('create_payment', 2 * SOME);
  const single = aPayment(undefined, { amount: 100 });
  await road.backend.pay(paying[0] ?? '', single);
  for (const id of [identifies, pays]) await untilDone(road, id ?? '');
  await road.backend.untilPayment(single.uid, ({ state }) => state === 'settled');
  expect(takenBy(road, 'add_identification').sort()).toEqual(uids);
  const paid = takenBy(road, 'create_payment');
  expect([...paid].sort()).toEqual([...payments, single].map(({ uid }) => uid).sort());
  expect(paid.indexOf(single.uid)).toBeLessThan(MANY - SOME);
});
