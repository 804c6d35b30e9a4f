import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { withHeartbeats } from '../../../activities/attempts/heartbeat.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { createWorker } from '../../support/workers.js';
import { sizeOf } from '../../support/size.js';
import { SEALED, eventually, useTemporal } from '../../support/temporal.js';
import { anOrder, fetchedPayment, only } from '../../support/workflows/provider.js';
import type { WorkflowHandle } from '@temporalio/client';

const WAITING = sizeOf(60, 2000);
const SLOTS = 4;
const ACTIVITIES = 2;
const temporal = useTemporal();

function aProvider() {
  const calls: string[] = [];
  const answers: (() => void)[] = [];
  let isOver = false;
  const answerAll = (): void => {
    isOver = true;
    for (const answer of answers) answer();
  };
  const activities = only({
    submitPayment: async ({ uid, connectionId, order }) => {
      calls.push(connectionId);
      if (!isOver) await withHeartbeats(() => new Promise<void>((resolve) => answers.push(resolve)));
      return fetchedPayment(uid, 'settled', order);
    },
  });
  return { activities, calls, answerOne: () => answers.shift()?.(), answerAll };
}

const isCallScheduled = (handle: WorkflowHandle): Promise<unknown> =>
  eventually(
    () => handle.describe(),
    ({ raw }) => (raw.pendingActivities ?? []).length > 0,
  );

async function backlogOf(name: string): Promise<number> {
  const { workflowService, options } = temporal.client;
  const { stats } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name },
    taskQueueType: ACTIVITIES,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

test(`a payment of another merchant overtakes a backlog of ${WAITING} payments`, async () => {
  const taskQueue = `fair-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const { activities, calls, answerOne, answerAll } = aProvider();
  const options = { connection, dataConverter: SEALED, taskQueue };
  const worker = await createWorker(options, activities, temporal.client, {
    maxConcurrentActivityTaskExecutions: SLOTS,
  });
  const pay = (connectionId: string) => {
    const uid = randomUUID();
    return temporal.client.workflow.start(PAYMENT_WORKFLOW, {
      workflowId: paymentWorkflowId(uid),
      taskQueue,
      args: [{ uid, connectionId, order: anOrder('agr-1') }],
    });
  };
  const crowd = async (): Promise<void> => {
    const theirs: WorkflowHandle[] = [];
    while (theirs.length < WAITING)
      theirs.push(...(await Promise.all(Array.from({ length: 20 }, () => pay('many')))));
    for (const handle of theirs) await isCallScheduled(handle);
    expect(calls).toEqual(Array.from({ length: SLOTS }, () => 'many'));
    await eventually(
      () => backlogOf(taskQueue),
      (count) => count === WAITING - SLOTS,
    );
    await isCallScheduled(await pay('one'));
    await eventually(
      () => backlogOf(taskQueue),
      (count) => count === WAITING - SLOTS + 1,
    );
    const before = calls.length;
    while (!calls.includes('one') && calls.length < before + 50) {
      const count = calls.length;
      answerOne();
      await eventually(
        () => calls.length,
        (now) => now > count,
      );
    }
    expect(calls.slice(before)).toContain('one');
    expect(calls.slice(before).indexOf('one')).toBeLessThanOrEqual(10);
  };
  try {
    await worker.runUntil(() => crowd().finally(answerAll));
  } finally {
    await connection.close();
  }
});
