// Payments asked for as one batch, whose worker is killed in the midst: each is paid once, and a single one does not wait for the rest.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { active } from '../support/on-the-road.js';
import { aPayment, openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/worker-process.js';
import type { Road } from '../support/road.js';

const MANY = 200;
const SOME = 20;
/** Calls a second: rows of a batch are begun at a part of it, so that there is a midst to kill the worker in. */
const RATE = { PAYMENTS_RATE_PER_SECOND: '50' };

const temporal = useTemporal();
const taskQueue = `batch-${randomUUID()}`;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** The uids that were sent, in the order of their calls. */
const sentTo = ({ sandbox }: Road): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'call' && entry.operation === 'create_payment' ? [entry.resource_uid ?? ''] : [],
    );

test('a batch of payments goes on after its worker is killed: each is sent once, and a single one amid them', async () => {
  const road = await openRoad(temporal, taskQueue);
  closing.push(() => road.close());
  const connection = `con-${randomUUID()}`;
  road.sandbox.control.setWebhookUrl(`${road.url}/webhooks/${connection}`);
  const startWorker = () => startWorkerProcess(road, taskQueue, road.sandbox.url, { env: RATE });
  let worker = await startWorker();
  closing.push(() => worker.kill());
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const agreements = await Promise.all(Array.from({ length: 4 }, () => active(road, connection)));
  const [free = ''] = agreements;
  const rows = Array.from({ length: MANY }, (_, index) => ({
    ...aPayment(undefined, { amount: 100 }),
    agreement_uid: agreements[index % agreements.length],
  }));
  const id = `b-${randomUUID()}`;
  expect(await road.post('/v1/batches', { id, kind: 'payments', rows })).toMatchObject({ status: 202 });
  const untilSent = (count: number) =>
    eventually(
      () => sentTo(road).length,
      (sent) => sent >= count,
    );
  await untilSent(SOME);
  await worker.kill();
  worker = await startWorker();
  await untilSent(2 * SOME);
  const single = aPayment(undefined, { amount: 100 });
  await road.backend.pay(free, single);
  const { body } = await eventually(
    () => road.get(`/v1/batches/${id}`),
    ({ body: { state } }) => state === 'done',
  );
  expect(body).toMatchObject({ counts: { done: MANY } });
  await road.backend.untilPayment(single.uid, ({ state }) => state === 'settled');
  const sent = sentTo(road);
  expect([...sent].sort()).toEqual([...rows, single].map(({ uid }) => uid).sort());
  expect(sent.indexOf(single.uid)).toBeLessThan(MANY - SOME);
});
