// How tests meet the real Temporal server: a worker with activities of the test's choosing, a client, and skipped time.
import { createSecretKey, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import Long from 'long';
import { afterAll, beforeAll, inject } from 'vitest';
import { dataConverterFor } from '../../sealing/data-converter.js';
import { createPayloadCodec } from '../../sealing/data-converter.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Keyring } from '../../sealing/keyring.js';

/** What seals all that tests say through Temporal, as ENCRYPTION_KEYS does elsewhere. */
export const KEYRING: Keyring = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 'tests')) }];
const SEALING = { keyring: KEYRING, namespace: 'default' };
export const SEALED = dataConverterFor(SEALING);
/** For what a test reads in a history as the server has it. */
export const CODEC = createPayloadCodec(SEALING);

let isQuiet = false;

/** Keeps the SDK from telling of every worker that comes and goes. Once per process, before its first worker. */
export function quietly(): void {
  if (!isQuiet) Runtime.install({ logger: new DefaultLogger('ERROR') });
  isQuiet = true;
}

/** Everything that a test file needs of Temporal. */
export interface Temporal {
  client: Client;
  /** The queue of the worker that runs now; each has its own. */
  taskQueue: string;
  /** Runs a worker with these activities while the work is done. */
  run<T>(activities: Partial<Activities>, work: () => Promise<T>, taskQueue?: string): Promise<T>;
}

/** @param options `isClear`: what is said is not sealed, so that recorded histories can be read by people. */
export function useTemporal({ isClear = false } = {}): Temporal {
  const dataConverter = isClear ? {} : SEALED;
  const temporal: Partial<Temporal> = {};
  let native: NativeConnection;
  let connection: Connection;
  beforeAll(async () => {
    quietly();
    const address = inject('temporalAddress');
    native = await NativeConnection.connect({ address });
    connection = await Connection.connect({ address });
    temporal.client = new Client({ connection, dataConverter });
    temporal.run = async (activities, work, taskQueue = `test-${randomUUID()}`) => {
      temporal.taskQueue = taskQueue;
      const worker = await Worker.create({
        connection: native,
        dataConverter,
        taskQueue,
        workflowBundle: { codePath: inject('workflowBundle') },
        activities,
        maxCachedWorkflows: 100,
      });
      return worker.runUntil(work);
    };
  });
  afterAll(async () => {
    await connection.close();
    await native.close();
  });
  return {
    get taskQueue() {
      return must(temporal.taskQueue);
    },
    get client() {
      return must(temporal.client);
    },
    run: (activities, work, taskQueue) => must(temporal.run)(activities, work, taskQueue),
  };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('useTemporal() belongs at the top of a test file');
  return value;
}

/** Lets a workflow's own clock jump whenever it would only wait. */
export const skipTime = (client: Client, workflowId: string, enabled = true): Promise<unknown> =>
  client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled } },
    updateMask: { paths: ['time_skipping_config'] },
  });

/** Moves a workflow's own clock on by so much, then stops skipping. */
export async function fastForward(client: Client, workflowId: string, seconds: number): Promise<void> {
  const fastForwardId = randomUUID();
  const { namespace } = client.options;
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: {
      timeSkippingConfig: {
        enabled: true,
        fastForwardConfig: { id: fastForwardId, duration: { seconds: Long.fromNumber(seconds) } },
      },
    },
    updateMask: { paths: ['time_skipping_config'] },
  });
  await client.workflowService.pollWorkflowExecutionTimeSkipping({
    namespace,
    workflowExecution: { workflowId },
    fastForwardId,
  });
}

/** Asks until the answer is what is waited for. Not a sleep: it ends with the thing itself, or says what it saw last. */
export async function eventually<T>(
  look: () => Promise<T>,
  isIt: (seen: T) => boolean,
  limitMs = 30_000,
): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (isIt(seen)) return seen;
    if (Date.now() > until) throw new Error(`still not so after ${limitMs} ms: ${JSON.stringify(seen)}`);
    await pause(20);
  }
}

/** How many events a run's history holds. */
export const eventsOf = async (handle: WorkflowHandle): Promise<number> =>
  (await handle.describe()).historyLength;
