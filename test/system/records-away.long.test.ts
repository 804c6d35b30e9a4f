import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openRow } from '../../records/sealed.js';
import { freePort } from '../../temporal-server/free-port.js';
import {
  NOTIFICATION_WORKFLOW,
  getNotification,
  notificationWorkflowId,
} from '../../workflows/notification/contract.js';
import { aFact } from '../support/facts.js';
import { active, callsOf } from '../support/on-the-road.js';
import { opened } from '../support/database.js';
import { aRecordsServer } from '../support/records-server.js';
import { aPayment, openRoad, type Road } from '../support/road.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { KEYRING, eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess } from '../support/processes.js';

const WAITING = 1000;
const AWAY_MS = 120_000;
const STARTED_AT_ONCE = 20;
const MOST_ATTEMPTS_PER_SECOND = 20;
const PROMPT_MS = 10_000;
const DRAINED_WITHIN_MS = 120_000;

const temporal = useTemporal();

async function startWaiting(taskQueue: string): Promise<string[]> {
  const uids = Array.from({ length: WAITING }, () => randomUUID());
  const left = [...uids];
  const startAll = async (): Promise<void> => {
    for (let uid = left.pop(); uid !== undefined; uid = left.pop())
      await temporal.client.workflow.start(NOTIFICATION_WORKFLOW, {
        taskQueue,
        workflowId: notificationWorkflowId(uid),
        args: [{ resourceType: 'Investigation', fact: aFact('investigations.message_received') }],
      });
  };
  await Promise.all(Array.from({ length: STARTED_AT_ONCE }, startAll));
  return uids;
}

/** Of every queue of the worker, by its own count. */
async function attemptsOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('temporal_activity_task_received_total{'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The attempts at storing, by the server's count. */
async function attemptsAtStoring(uids: readonly string[]): Promise<{ waiting: number; attempts: number }> {
  const described = await Promise.all(
    uids.map((uid) => temporal.client.workflow.getHandle(notificationWorkflowId(uid)).describe()),
  );
  const pending = described.flatMap(({ raw }) => raw.pendingActivities ?? []);
  const started = pending.filter(({ lastStartedTime }) => lastStartedTime != null);
  return {
    waiting: pending.length,
    attempts: started.reduce((sum, { attempt }) => sum + Number(attempt), 0),
  };
}

async function msToLookUp(road: Road, agreement: string): Promise<number> {
  const reads = () => callsOf(road, 'get_agreement', agreement).length;
  const before = reads();
  const startedAtMs = performance.now();
  await road.backend.lookUp(agreement);
  await eventually(reads, (count) => count > before);
  return performance.now() - startedAtMs;
}

async function msToSettle({ backend }: Road, agreement: string): Promise<number> {
  const payment = aPayment();
  const startedAtMs = performance.now();
  await backend.pay(agreement, payment, { wait: 20 });
  await backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
  return performance.now() - startedAtMs;
}

test(`${WAITING} workflows that wait for the records cause few attempts, delay no look-up, and are stored afterwards`, async () => {
  const taskQueue = `records-away-${randomUUID()}`;
  const server = await aRecordsServer();
  const road = await openRoad(temporal, taskQueue, Date.now, { reader: RECORDS_AWAY });
  onTestFinished(() => road.close());
  const metricsPort = await freePort();
  const env = { RECORDS_URL: server.url, METRICS_PORT: String(metricsPort) };
  const worker = await startWorkerProcess(road, taskQueue, road.sandbox.url, env);
  onTestFinished(() => worker.kill());
  const connection = `con-${randomUUID()}`;
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  const agreement = await active(road, connection);

  await server.freeze();
  const frozenAtMs = performance.now();
  const before = await attemptsOf(metricsPort);
  const uids = await startWaiting(taskQueue);
  const storing = () => attemptsAtStoring(uids);
  await eventually(storing, ({ waiting }) => waiting === WAITING);
  const allWaitMs = performance.now() - frozenAtMs;
  const lookUpMs = await msToLookUp(road, agreement);
  const settleMs = await msToSettle(road, agreement);
  await pause(Math.max(AWAY_MS - (performance.now() - frozenAtMs), 0));
  const { waiting, attempts } = await storing();
  const awayMs = performance.now() - frozenAtMs;
  const executed = (await attemptsOf(metricsPort)) - before;
  await server.kill();
  await server.restart();
  const backAtMs = performance.now();

  const { db } = opened(server.url);
  const rows = () => db.selectFrom('notifications').selectAll().where('uid', 'in', uids).execute();
  const stored = await eventually(rows, ({ length }) => length === WAITING);
  const drainMs = performance.now() - backAtMs;
  console.log({ waiting, allWaitMs, awayMs, executed, attempts, lookUpMs, settleMs, drainMs });
  expect(waiting).toBe(WAITING);
  expect(attempts).toBeGreaterThan(0);
  expect(executed).toBeGreaterThanOrEqual(attempts);
  expect((executed * 1000) / awayMs).toBeLessThanOrEqual(MOST_ATTEMPTS_PER_SECOND);
  expect(Math.max(lookUpMs, settleMs)).toBeLessThan(PROMPT_MS);
  expect(drainMs).toBeLessThan(DRAINED_WITHIN_MS);
  for (const row of stored) {
    const view = await temporal.client.workflow
      .getHandle(notificationWorkflowId(row.uid))
      .query(getNotification);
    expect(openRow(KEYRING, 'notifications', row.uid, row)).toEqual(view);
  }
});
