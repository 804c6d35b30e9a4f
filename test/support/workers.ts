import v8 from 'node:v8';
import { ApplicationFailure, type DataConverter, type HistoryAndWorkflowId } from '@temporalio/common';
import { activityInfo } from '@temporalio/activity';
import {
  Worker,
  type InjectedSinks,
  type WorkerOptions as SdkOptions,
  type NativeConnection,
} from '@temporalio/worker';
import { inject } from 'vitest';
import type { Client } from '@temporalio/client';
import { QUEUES, taskQueueOf, type RecordSinks } from '../../workflows/contracts/every-workflow.js';
import { recordSinks } from '../../worker/record-sink.js';
import { stored } from './nothing-recorded.js';
import type { RecordWriter } from '../../domain/records/batch.js';
import type { Activities } from '../../activities/index.js';

export interface WorkerOptions {
  connection: NativeConnection;
  dataConverter: DataConverter;
  taskQueue: string;
  namespace?: string;
}

export async function createWorker(
  options: WorkerOptions,
  activities: Reached | { default: Dispatch },
  client: Client,
  over: Pick<SdkOptions, 'maxConcurrentActivityTaskExecutions' | 'sinks'> = {},
): Promise<Pick<Worker, 'run' | 'shutdown' | 'runUntil'>> {
  const queues = Object.keys(activities).length === 0 ? (['money'] as const) : QUEUES;
  const workers = await Promise.all(
    queues.map((queue) =>
      Worker.create({
        ...options,
        sinks: storingWith(client, () => ('default' in activities ? {} : activities)),
        ...over,
        taskQueue: taskQueueOf(options.taskQueue, queue),
        activities,
        ...(queue === 'money' && {
          workflowBundle: { codePath: inject('workflowBundle') },
          maxCachedWorkflows: 100,
        }),
      }),
    ),
  );
  const run = async (): Promise<void> => void (await Promise.all(workers.map((worker) => worker.run())));
  const shutdown = (): void => {
    for (const worker of workers) worker.shutdown();
  };
  const runUntil = async <T>(work: Promise<T> | (() => Promise<T>)): Promise<T> => {
    const running = run();
    const failed = running.then(() => Promise.reject(new Error('a worker of this test stopped early')));
    try {
      return await Promise.race([typeof work === 'function' ? work() : work, failed]);
    } finally {
      shutdown();
      await running;
    }
  };
  return { run, shutdown, runUntil };
}

export type Reached = Partial<Activities> & Partial<RecordWriter>;

const storingWith = (client: Client, reachedBy: (runId: string) => Reached) =>
  recordSinks({ write: (batch) => (reachedBy(batch.runId).write ?? stored)(batch) }, client);

type Dispatch = (...args: unknown[]) => unknown;

/** A worker whose activities each test replaces. */
export interface TestWorker {
  run<T>(activities: Reached, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function startTestWorker(options: WorkerOptions, client: Client): Promise<TestWorker> {
  let current: Reached = {};
  const byRunId = new Map<string, Reached>();
  const activitiesOf = (runId: string): Reached => {
    const activities = byRunId.get(runId) ?? current;
    byRunId.set(runId, activities);
    return activities;
  };
  const dispatch: Dispatch = (...args) => {
    const { activityType, workflowExecution } = activityInfo();
    const activity: unknown = Reflect.get(activitiesOf(workflowExecution?.runId ?? ''), activityType);
    if (typeof activity === 'function') return Reflect.apply(activity, undefined, args);
    throw ApplicationFailure.retryable(`no activity ${activityType} in this run`, 'NotFoundError');
  };
  const sinks = storingWith(client, activitiesOf);
  const worker = await createWorker(options, { default: dispatch }, client, { sinks });
  const running = worker.run();
  return {
    run: async (activities, work) => {
      current = activities;
      const failed = running.then(() => {
        throw new Error('the shared worker stopped early');
      });
      try {
        return await Promise.race([work(), failed]);
      } finally {
        await terminateAll(client, `TaskQueue = '${options.taskQueue}' AND ExecutionStatus = 'Running'`);
      }
    },
    close: async () => {
      worker.shutdown();
      await running;
    },
  };
}

async function terminateAll(client: Client, query: string): Promise<void> {
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('the test has ended')
      .catch(() => undefined);
  }
}

/**
 * A replay runs in this thread, and the SDK then follows all promises of the thread to collect stack traces. Promises of Node 24's WebCrypto have no
 * constructor, for which its hook throws. Workers run workflows in threads of their own, so nothing of the product meets this.
 */
v8.promiseHooks.createHook = () => () => undefined;

export const UNSTORED: InjectedSinks<RecordSinks> = { records: { store: { fn: () => undefined } } };

/** Runs of one workflow that are replayed: its paths repeat. */
const REPLAYED_RUNS = 30;

/** Replays the newest runs of each workflow on the queues. Throws if the workflow no longer does what a history says. */
export async function replayAll(
  client: Client,
  dataConverter: DataConverter,
  { queues, startedAt }: { queues: readonly string[]; startedAt: Date },
): Promise<void> {
  const of = queues.map((queue) => `TaskQueue = '${queue}'`).join(' OR ');
  const query = `(${of}) AND StartTime >= '${startedAt.toISOString()}'`;
  const replayed = Worker.runReplayHistories(
    { workflowBundle: { codePath: inject('workflowBundle') }, dataConverter, sinks: UNSTORED },
    newestHistories(client, query),
  );
  for await (const { workflowId, error } of replayed) {
    if (error !== undefined)
      throw new Error(`the history of ${workflowId} does not replay`, { cause: error });
  }
}

async function* newestHistories(client: Client, query: string): AsyncGenerator<HistoryAndWorkflowId> {
  const counts = new Map<string, number>();
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    if (count > REPLAYED_RUNS) continue;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { workflowId, history };
  }
}
