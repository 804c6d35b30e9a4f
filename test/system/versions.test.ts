import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, QueryRejectedError, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { handOver, taskQueueOf, type Queue } from '../../workflows/contracts/every-workflow.js';
import { makeCurrent, releaseOf, versioningOf } from '../../worker/deployment.js';
import { eventually, fastForward, quietly } from '../support/temporal.js';
import { nothingNew } from '../support/workflows/provider.js';
import { builtOf, startNode, type NodeProcess } from '../support/processes.js';
import { GOOD } from '../support/environments.js';
import { add, addNow, end, view, type counterOf } from '../support/system/versions/counter.js';
import {
  bundleReleases,
  isOf,
  isOn,
  moveRuns,
  noneIfNotFound,
  type Version,
} from '../support/system/versions/releases.js';
import { UNSTORED } from '../support/workers.js';
import type { Logger } from '../../telemetry/logger.js';

type Counter = ReturnType<typeof counterOf>;

let codes: ReadonlyMap<Version, string>;
let native: NativeConnection;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  quietly();
  const address = inject('temporalAddress');
  native = await NativeConnection.connect({ address });
  connection = await Connection.connect({ address });
  client = new Client({ connection, workflow: { queryRejectCondition: 'NOT_OPEN' } });
  codes = await bundleReleases();
});

afterAll(async () => {
  await connection.close();
  await native.close();
});

const codeOf = (version: Version): string => codes.get(version) ?? '';

function useQueue() {
  const taskQueue = `test.${randomUUID()}`;
  const start = async (version: Version) => {
    const versioning = versioningOf(releaseOf({ TASK_QUEUE: taskQueue, WORKER_VERSION: version }));
    const create = (queue: Queue, rest: Partial<WorkerOptions>) =>
      Worker.create({ ...versioning, ...rest, connection: native, taskQueue: taskQueueOf(taskQueue, queue) });
    const act = () => Promise.resolve(version);
    const lookUpAgreement = () => Promise.reject(nothingNew('48000h'));
    const workers = await Promise.all([
      create('money', { workflowBundle: { code: codeOf(version) }, activities: { act }, sinks: UNSTORED }),
      create('reads', { activities: { lookUpAgreement } }),
    ]);
    const running = Promise.all(workers.map((worker) => worker.run()));
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) for (const worker of workers) worker.shutdown();
      isStopped = true;
      await running;
    };
    onTestFinished(stop);
    return { stop, said: await becomesCurrent(taskQueue, version) };
  };
  const begin = (options: Partial<{ child: string }> = {}): Promise<WorkflowHandle<Counter>> =>
    client.workflow.start<Counter>('counter', {
      taskQueue,
      workflowId: `counter-${randomUUID()}`,
      args: [options],
    });
  return { taskQueue, start, begin };
}

function startProcess(taskQueue: string, queues: string): NodeProcess {
  const worker = startNode([builtOf('worker')], {
    ...GOOD,
    METRICS_PORT: '0',
    SWEEP_INTERVAL_HOURS: '0',
    AUDIT_INTERVAL_HOURS: '0',
    TASK_QUEUE: taskQueue,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    WORKER_QUEUES: queues,
    WORKER_VERSION: '1.0.0',
  });
  onTestFinished(() => {
    worker.signal('SIGKILL');
  });
  return worker;
}

async function becomesCurrent(taskQueue: string, version: Version): Promise<string[]> {
  const release = releaseOf({ TASK_QUEUE: taskQueue, WORKER_VERSION: version });
  if (release === undefined) throw new Error('expected a release');
  const said: string[] = [];
  const log: Logger = {
    info: (event) => said.push(event),
    warn: (event) => said.push(event),
    error: (event) => said.push(event),
  };
  await makeCurrent({ temporal: client, release, signal: new AbortController().signal, log });
  return said;
}

const now = ({ workflowId }: WorkflowHandle<Counter>) => client.workflow.getHandle<Counter>(workflowId);
const releaseNow = async (run: WorkflowHandle<Counter>): Promise<string | undefined> =>
  (await now(run).describe()).raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ??
  undefined;
async function askToHandOver(run: WorkflowHandle<Counter>): Promise<void> {
  await now(run).signal(handOver);
  await pause(500);
}
const moved = (run: WorkflowHandle<Counter>) =>
  eventually(async () => {
    await askToHandOver(run);
    return releaseNow(run);
  }, isOn('2.0.0'));

describe('two worker releases side by side', () => {
  test('a new release becomes current automatically and stays current if an older one restarts', async () => {
    const { taskQueue, start, begin } = useQueue();
    expect((await start('1.0.0')).said).toEqual(['release 1.0.0 is current now']);
    expect((await start('2.0.0')).said).toEqual(['release 2.0.0 is current now']);
    expect(await becomesCurrent(taskQueue, '2.0.0')).toEqual(['release 2.0.0 is current']);
    expect(await becomesCurrent(taskQueue, '1.0.0')).toEqual(['release 1.0.0 is draining; 2.0.0 is current']);
    await eventually(async () => (await begin()).query(view), isOf('2.0.0'));
    const startBySignal = () =>
      client.workflow.signalWithStart<Counter, [number]>('counter', {
        taskQueue,
        workflowId: `counter-${randomUUID()}`,
        args: [{}],
        signal: add,
        signalArgs: [2],
      });
    const seen = await eventually(async () => (await startBySignal()).query(view), isOf('2.0.0'));
    expect(seen).toEqual({ release: '2.0.0', count: 2, signals: 1 });
  });

  test('the money worker makes its release current without an operator, with one process per queue', async () => {
    const taskQueue = `test.${randomUUID()}`;
    const others = startProcess(taskQueue, 'reads,sweeps');
    await others.hasWritten(/worker polling task queue .* with release 1\.0\.0/);
    const money = startProcess(taskQueue, 'money');
    await money.hasWritten(/release 1\.0\.0 is current now/);
    for (const worker of [money, others]) {
      worker.signal('SIGTERM');
      expect(await worker.ended).toBe(0);
    }
    expect(others.output()).not.toContain('is current');
  });

  test('a run stays on its release until it hands over its state, and both histories replay', async () => {
    const { start, begin } = useQueue();
    await start('1.0.0');
    const childId = `counter-${randomUUID()}`;
    const [run, asked, parent] = [await begin(), await begin(), await begin({ child: childId })];
    const child = client.workflow.getHandle<Counter>(childId);
    const { runId: firstRunId } = await run.describe();
    await run.signal(add, 5);
    await eventually(
      () => run.query(view),
      ({ count }) => count === 5,
    );
    for (const one of [asked, parent, child])
      await eventually(() => releaseNow(one).catch(noneIfNotFound), isOn('1.0.0'));
    await start('2.0.0');

    expect(await run.query(view)).toEqual({ release: '1.0.0', count: 5 });
    expect(await now(asked).executeUpdate(addNow, { args: [3] })).toBe('1.0.0');
    for (const one of [run, parent, child]) await now(one).signal(add, 7);
    for (const one of [run, asked, parent, child]) await moved(one);
    expect(await now(asked).executeUpdate(addNow, { args: [4] })).toBe('2.0.0');
    expect(await now(asked).query(view)).toEqual({ release: '2.0.0', count: 7, signals: 1 });
    expect(await now(run).query(view)).toEqual({ release: '2.0.0', count: 12, signals: 0 });
    await now(child).signal(end);
    expect(await now(child).result()).toEqual({ release: '2.0.0', count: 7, signals: 0 });

    await fastForward(client, run.workflowId, 1001 * 86_400);
    expect(await now(run).result()).toMatchObject({ release: '2.0.0', count: 12 });
    for await (const { workflowId, runId } of client.workflow.list({
      query: `WorkflowId = "${run.workflowId}"`,
    })) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const json: unknown = JSON.parse(historyToJSON(history));
      const code = codeOf(runId === firstRunId ? '1.0.0' : '2.0.0');
      await Worker.runReplayHistory({ workflowBundle: { code }, sinks: UNSTORED }, json, workflowId);
    }
  });
});

describe('shutdown of an older release', () => {
  test('the move command moves every idle run at the given rate', async () => {
    const { taskQueue, start, begin } = useQueue();
    const first = await start('1.0.0');
    const ended = await begin();
    await ended.signal(add, 9);
    await ended.signal(end);
    await ended.result();
    const runs = await Promise.all(Array.from({ length: 12 }, () => begin()));
    await Promise.all(runs.map((run) => eventually(() => releaseNow(run), isOn('1.0.0'))));
    await start('2.0.0');
    const listed = await eventually(
      () => moveRuns(taskQueue, '--dry-run'),
      ({ lines }) => lines[0] === 'release 2.0.0 is current; 12 runs are on other releases or on none',
    );
    expect(listed).toMatchObject({ exitCode: 0, lines: [expect.any(String)] });

    const { exitCode, lines } = await moveRuns(taskQueue, '--rate', '4');
    expect({ exitCode, last: lines.at(-1) }).toEqual({
      exitCode: 0,
      last: 'all runs have moved; workers of other releases can be switched off',
    });
    const [firstReport = ''] = lines.filter((line) => /^\d+ signalled, \d+ left$/.test(line));
    expect(firstReport).toMatch(/^[1-9] signalled, /);

    await first.stop();
    for (const run of runs) {
      await now(run).signal(add, 1);
      expect(await now(run).query(view)).toEqual({ release: '2.0.0', count: 1, signals: 1 });
    }
    await expect(ended.query(view)).rejects.toThrow(QueryRejectedError);
    expect(await ended.result()).toEqual({ release: '1.0.0', count: 9 });
  });

  test('a run without a worker of its release waits for one and loses nothing', async () => {
    const { start, begin } = useQueue();
    const first = await start('1.0.0');
    const run = await begin();
    await run.query(view);
    await first.stop();
    await start('2.0.0');
    await run.signal(add, 5);
    expect(await releaseNow(run)).toBe('1.0.0');
    await start('1.0.0');
    await moved(run);
    expect(await now(run).query(view)).toMatchObject({ release: '2.0.0', count: 5 });
  });

  test('state carried by a newer release waits for it while an older one is current', async () => {
    const { taskQueue, start, begin } = useQueue();
    await start('1.0.0');
    await start('2.0.0');
    const { run } = await eventually(async () => {
      const begun = await begin();
      return { run: begun, release: (await begun.query(view)).release };
    }, isOf('2.0.0'));
    await makeCurrentByHand(taskQueue, '1.0.0');
    await run.signal(add, 6);
    await eventually(
      async () => {
        await askToHandOver(run);
        return (await now(run).describe()).raw.pendingWorkflowTask?.attempt ?? 0;
      },
      (attempts) => attempts > 1,
    );
    await makeCurrentByHand(taskQueue, '2.0.0');
    await moved(run);
    expect(await now(run).query(view)).toMatchObject({ release: '2.0.0', count: 6 });
  });
});

async function makeCurrentByHand(taskQueue: string, version: Version): Promise<void> {
  const release = releaseOf({ TASK_QUEUE: taskQueue, WORKER_VERSION: version });
  if (release === undefined) throw new Error('expected a release');
  await client.workflowService.setWorkerDeploymentCurrentVersion({ namespace: 'default', ...release });
}
