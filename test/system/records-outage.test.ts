import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openRow } from '../../records/sealed.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { getRecord } from '../../workflows/contracts/every-workflow.js';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { active } from '../support/on-the-road.js';
import { opened } from '../support/database.js';
import { aRecordsServer } from '../support/records-server.js';
import { aPayment, openRoad, type Road } from '../support/road.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/processes.js';

const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' } as const;

const temporal = useTemporal();

async function settled(road: Road, agreement_uid: string): Promise<string> {
  const { uid, ...payment } = aPayment();
  await road.backend.pay(agreement_uid, { uid, ...payment }, { wait: 20 });
  await road.backend.untilPayment(uid, ({ state }) => state === 'settled');
  return uid;
}

test('payments settle while the records hang, continue while they are away, and everything arrives afterwards, once and in order', async () => {
  const taskQueue = `outage-${randomUUID()}`;
  const server = await aRecordsServer();
  const road = await openRoad(temporal, taskQueue, Date.now, { reader: RECORDS_AWAY });
  onTestFinished(() => road.close());
  const worker = await startWorkerProcess(road, taskQueue, road.sandbox.url, { RECORDS_URL: server.url });
  onTestFinished(() => worker.kill());
  const connection = `con-${randomUUID()}`;
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const agreement = await active(road, connection);
  const before = await settled(road, agreement);

  await server.freeze();
  const during = await settled(road, agreement);
  await server.kill();
  await road.backend.suspend(agreement, WHY, { wait: 20 });
  const suspended = await road.backend.untilAgreement(agreement, ({ state }) => state === 'suspended');
  expect(suspended.attention).toEqual([]);
  await server.restart();

  const { db } = opened(server.url);
  const { workflow } = temporal.client;
  const rows = () => db.selectFrom('payments').selectAll().where('uid', 'in', [before, during]).execute();
  const agreementRow = () =>
    db.selectFrom('agreements').selectAll().where('uid', '=', agreement).executeTakeFirst();
  await eventually(agreementRow, (row) => row?.state === 'suspended' && row.awaiting === 'nothing');
  const stored = await eventually(
    rows,
    (all) => all.length === 2 && all.every(({ state }) => state === 'settled'),
  );
  for (const row of stored) {
    const view = await workflow.getHandle(paymentWorkflowId(row.uid)).query(getPayment);
    expect(openRow(road.keyring, 'payments', row.uid, row)).toEqual(view);
  }
  const {
    payments: _,
    paymentsOlder: __,
    ...view
  } = await workflow.getHandle(agreementWorkflowId(agreement)).query(getAgreement);
  const row = await agreementRow();
  expect(row && openRow(road.keyring, 'agreements', agreement, row)).toEqual(view);
  for (const workflowId of [agreementWorkflowId(agreement), paymentWorkflowId(during)]) {
    const entries = await db
      .selectFrom('entries')
      .select(['sequence', 'fact_id', 'kind'])
      .where('workflow_id', '=', workflowId)
      .orderBy('position')
      .execute();
    const changes = entries.filter(({ kind }) => kind !== 'view').map(({ sequence }) => sequence);
    expect(changes).toEqual(changes.toSorted((one, other) => one - other));
    const known = (await workflow.getHandle(workflowId).query(getRecord)).entries.map(({ factId }) => factId);
    expect(entries.map(({ fact_id: id }) => id).filter((id) => id !== null)).toEqual(
      expect.arrayContaining(known),
    );
  }
});
