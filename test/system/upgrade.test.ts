import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../records/migrations/all.js';
import { aDatabase, NEXT } from '../support/database.js';
import { active } from '../support/on-the-road.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { migrate } from '../support/records.js';
import { aPayment, openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/processes.js';

const DELAY_SECONDS = 600;
const PAYMENTS = 5;

const temporal = useTemporal();

test('a worker of this release settles its payments in flight after the migrations of the next release', async () => {
  const taskQueue = `upgrade-${randomUUID()}`;
  const { adminUrl, url, owner } = await aDatabase();
  const road = await openRoad(temporal, taskQueue, Date.now, { reader: RECORDS_AWAY });
  onTestFinished(() => road.close());
  const start = () => startWorkerProcess(road, taskQueue, road.sandbox.url, { RECORDS_URL: url });
  let worker = await start();
  onTestFinished(() => worker.kill());
  const connection = `con-${randomUUID()}`;
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const agreement = await active(road, connection);
  const pay = async (delay: number): Promise<string> => {
    const payment = aPayment();
    road.sandbox.control.scriptPayment(payment.uid, { simulate: 'auto_settle', delay });
    expect((await road.backend.pay(agreement, payment)).status).toBe(202);
    return payment.uid;
  };
  const statesAre = (uids: readonly string[], expected: string) =>
    eventually(
      () => owner.db.selectFrom('payments').select(['uid', 'state']).where('uid', 'in', uids).execute(),
      (rows) => rows.length === uids.length && rows.every(({ state }) => state === expected),
    );
  const inFlight = await Promise.all(Array.from({ length: PAYMENTS }, () => pay(DELAY_SECONDS)));
  await statesAre(inFlight, 'created');

  await migrate(adminUrl, url, { ...MIGRATIONS, ...NEXT });
  const before = await pay(0);
  await statesAre([before], 'settled');
  await worker.kill();
  worker = await start();
  await road.sandbox.control.advance(DELAY_SECONDS);
  await statesAre(inFlight, 'settled');
});
