import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  QueryNotRegisteredError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowHandle,
} from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createRecorded } from '../../../api/gateway/records.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { isUnanswered } from '../../../delivery/unanswered.js';
import { bundleWorkflows } from '../../../worker/workflow-code.js';
import { AGREEMENT_WORKFLOW, getAgreement } from '../../../workflows/agreement/contract.js';
import { UNSTORED } from '../../support/workers.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { ask, finish, newsCount, nudge, pairing, type Tasks } from '../../support/workflows/pairing.js';
import { A_MANDATE } from '../../support/workflows/provider.js';

const NEWS = ['activity', 'timer', 'signal', 'child', 'update'] as const;
type News = (typeof NEWS)[number];
const PAIRS = NEWS.flatMap((one, index) => NEWS.slice(index + 1).map((other) => [one, other] as const));
const COPIES = 2;
const QUERIES = 4;
const TIMER_MS = 4000;
const HOUR_MS = 3_600_000;

const temporal = useTemporal({ isClear: true });
let connection: NativeConnection;
let bundle: { code: string };
beforeAll(async () => {
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  bundle = await bundleWorkflows(
    fileURLToPath(new URL('../../support/workflows/pairing.ts', import.meta.url)),
  );
});
afterAll(() => connection.close());

const startWorker = (
  taskQueue: string,
  maxCachedWorkflows: number,
  workflowBundle: { code: string } | { codePath: string } = bundle,
): Promise<Worker> =>
  Worker.create({ connection, taskQueue, workflowBundle, maxCachedWorkflows, sinks: UNSTORED });

const hasEvent = (handle: WorkflowHandle, attributes: string): Promise<unknown> =>
  eventually(
    () => handle.fetchHistory(),
    ({ events }) => events?.some((event) => Reflect.get(event, attributes) != null) === true,
  );

const sendQuery = (handle: WorkflowHandle): Promise<number> =>
  handle.query(newsCount).catch((error: unknown) => {
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    return sendQuery(handle);
  });

const ANSWERED_WITHIN_MS = 30_000;

/** A server that loses the update answers never. Then it is sent again, and may be carried out twice. */
const sendUpdate = (handle: WorkflowHandle): Promise<void> =>
  temporal.client
    .withDeadline(Date.now() + ANSWERED_WITHIN_MS, () => handle.executeUpdate(ask))
    .catch((error: unknown) => {
      const isUndecided = error instanceof WorkflowUpdateFailedError && isUnanswered(error.cause);
      if (!isUndecided && !(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
      return sendUpdate(handle);
    });

test.concurrent.each([
  ['without a cache', 0],
  ['with a cache', 100],
])('every pair of concurrent events beside a query replays on a worker %s', async (_, maxCachedWorkflows) => {
  const { client } = temporal;
  const taskQueue = `pairing-${randomUUID()}`;
  const gates = new Map<string, (() => void)[]>();
  const opened = new Set<string>();
  const open = (id: string): void => {
    opened.add(id);
    gates.get(id)?.forEach((go) => {
      go();
    });
  };
  const tasks: Tasks = {
    // A second attempt comes if the server has lost the first one, or if that has lasted too long. The worker waits for both.
    gate: (id) =>
      new Promise((resolve) => {
        gates.set(id, [...(gates.get(id) ?? []), resolve]);
        if (opened.has(id)) resolve();
      }),
    note: () => Promise.resolve(),
  };
  const tasksQueue = `${taskQueue}-tasks`;
  const tasksWorker = await Worker.create({ connection, taskQueue: tasksQueue, activities: tasks });
  const working = tasksWorker.run();

  const runs: { handle: WorkflowHandle; pair: readonly News[] }[] = [];
  const first = await startWorker(taskQueue, 100);
  await first.runUntil(async () => {
    for (const pair of Array.from({ length: COPIES }, () => PAIRS).flat()) {
      const id = `pairing-${randomUUID()}`;
      const timerMs = pair.includes('timer') ? TIMER_MS : HOUR_MS;
      const input = { id, timerMs, tasksQueue, childQueue: `${taskQueue}-none` };
      const handle = await client.workflow.start(pairing, { taskQueue, workflowId: id, args: [input] });
      runs.push({ handle, pair });
    }
    for (const { handle } of runs) await hasEvent(handle, 'childWorkflowExecutionStartedEventAttributes');
    await eventually(
      () => Promise.resolve(gates.size),
      (size) => size === runs.length,
    );
  });

  const bring: Record<News, (handle: WorkflowHandle) => unknown> = {
    activity: ({ workflowId }) => open(workflowId),
    timer: (handle) => hasEvent(handle, 'timerFiredEventAttributes'),
    signal: (handle) => handle.signal(nudge),
    child: ({ workflowId }) => client.workflow.getHandle(`${workflowId}/child`).terminate(),
    update: sendUpdate,
  };
  const brought = runs.map(({ handle, pair }) =>
    Promise.all([
      Promise.allSettled(Array.from({ length: QUERIES }, () => handle.query(newsCount))),
      ...pair.map((news) => bring[news](handle)),
    ]),
  );
  for (const { handle, pair } of runs)
    if (pair.includes('timer')) await hasEvent(handle, 'timerFiredEventAttributes');
  const second = await startWorker(taskQueue, maxCachedWorkflows);
  await second.runUntil(async () => {
    await Promise.all(brought);
    for (const { handle, pair } of runs) {
      await eventually(
        () => sendQuery(handle),
        (count) => count >= pair.length,
      );
      await handle.signal(finish);
    }
    await Promise.all(runs.map(({ handle }) => handle.result()));
  });
  for (const id of gates.keys()) open(id);
  tasksWorker.shutdown();
  await working;

  for (const { handle } of runs)
    await Worker.runReplayHistory({ workflowBundle: bundle }, await handle.fetchHistory(), handle.workflowId);
});

test('a query of a run that cannot be replayed fails with worker_unavailable', async () => {
  const { client } = temporal;
  const taskQueue = `pairing-${randomUUID()}`;
  const workflowId = `pairing-${randomUUID()}`;
  const args = [{ uid: workflowId, connectionId: 'acme', mandate: A_MANDATE }];
  const other = await startWorker(taskQueue, 0);
  await other.runUntil(async () => {
    const handle = await client.workflow.start(AGREEMENT_WORKFLOW, { taskQueue, workflowId, args });
    await hasEvent(handle, 'timerStartedEventAttributes');
  });
  const ours = await startWorker(taskQueue, 0, { codePath: inject('workflowBundle') });
  await ours.runUntil(async () => {
    await expect(
      createCalls({ client, taskQueue, recorded: createRecorded(RECORDS_AWAY) }).ask(
        workflowId,
        getAgreement,
      ),
    ).rejects.toMatchObject({
      code: 'worker_unavailable',
      message: expect.stringContaining('replay') as string,
    });
    await client.workflow.getHandle(workflowId).terminate();
  });
});
