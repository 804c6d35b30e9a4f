import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { active, paymentsAt } from '../support/on-the-road.js';
import { openRoad } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { startWorkerProcess, type WorkerProcess } from '../support/processes.js';
import { auditId } from '../../workflows/audit/contract.js';
import { QUEUES } from '../../workflows/contracts/every-workflow.js';
import { sweepId } from '../../workflows/sweep/contract.js';

const temporal = useTemporal();

test.concurrent(
  'one worker process per queue settles a payment and runs the scheduled sweep and audit',
  async () => {
    const taskQueue = `split-${randomUUID()}`;
    const connection = `con-${randomUUID()}`;
    const road = await openRoad(temporal, taskQueue);
    const workers: WorkerProcess[] = [];
    try {
      for (const queue of QUEUES) {
        const env = { WORKER_QUEUES: queue, SWEEP_INTERVAL_HOURS: '168', AUDIT_INTERVAL_HOURS: '24' };
        workers.push(await startWorkerProcess(road, taskQueue, road.sandbox.url, env));
      }
      expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
      const agreement = await active(road, connection);
      const uid = `pay-${randomUUID()}`;
      const asked = await road.backend.pay(agreement, { uid, amount: 100 });
      expect(asked.status).toBe(202);
      await road.backend.untilPayment(uid, ({ state }) => state === 'settled');
      expect(paymentsAt(road, uid)).toHaveLength(1);
      for (const [does, idOf] of [
        ['sweep', sweepId],
        ['audit', auditId],
      ] as const) {
        const schedule = temporal.client.schedule.getHandle(idOf(connection));
        await schedule.trigger();
        const query = `WorkflowType = '${does}' AND ConnectionId = '${connection}' AND ExecutionStatus = 'Completed'`;
        await eventually(
          () => temporal.client.workflow.count(query),
          ({ count }) => count > 0,
        );
        await schedule.delete();
      }
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      await road.close();
    }
  },
);

test.concurrent(
  'another worker admits a payment after the worker with the cached agreement is killed',
  async () => {
    const taskQueue = `killed-${randomUUID()}`;
    const road = await openRoad(temporal, taskQueue);
    const workers: WorkerProcess[] = [];
    const started = async (): Promise<WorkerProcess> => {
      const worker = await startWorkerProcess(road, taskQueue, road.sandbox.url);
      workers.push(worker);
      return worker;
    };
    try {
      const first = await started();
      const connection = `con-${randomUUID()}`;
      expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
      const agreement = await active(road, connection);
      await started();
      await first.kill();
      const uid = `pay-${randomUUID()}`;
      const asked = await road.post(`/v1/agreements/${agreement}/payments`, { uid, amount: 100 });
      expect(asked.status).toBe(202);
      await road.backend.untilPayment(uid, ({ state }) => state === 'settled');
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      await road.close();
    }
  },
);
