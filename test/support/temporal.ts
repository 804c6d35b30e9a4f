import { createSecretKey, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { Client, Connection, QueryNotRegisteredError, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import Long from 'long';
import { TestRunner, afterAll, beforeAll, inject } from 'vitest';
import { askAgreementActivity } from '../../activities/payment/ask-agreement.js';
import { runActivities } from '../../activities/temporal/runs.js';
import { fastForwardIn, skipTimeIn, type Namespace } from '../../cli/demo/skip-time.js';
import { createPayloadCodec, dataConverterFor } from '../../sealing/data-converter.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { NO_RECORDS } from './nothing-recorded.js';
import { createWorker, replayAll, startTestWorker, type Reached, type TestWorker } from './workers.js';
import type { DataConverter, QueryDefinition } from '@temporalio/common';
import type { Keyring } from '../../sealing/keyring.js';

export const KEYRING: Keyring = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 'tests')) }];
const SEALING = { keyring: KEYRING, namespace: 'default' };
export const SEALED = dataConverterFor(SEALING);
export const CODEC = createPayloadCodec(SEALING);

let isQuiet = false;

export function quietly(): void {
  if (!isQuiet)
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR' } },
    });
  isQuiet = true;
}

export interface Temporal {
  client: Client;
  taskQueue: string;
  run<T>(activities: Reached, work: () => Promise<T>, taskQueue?: string): Promise<T>;
}

/** A connection to a namespace of the server, and the worker that its tests share. */
interface Connected {
  client: Client;
  dataConverter: DataConverter;
  native: NativeConnection;
  taskQueue: string;
  worker?: TestWorker;
  close(): Promise<void>;
}

async function connect(namespace: string, dataConverter: DataConverter): Promise<Connected> {
  quietly();
  const address = inject('temporalAddress');
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, dataConverter, namespace });
  const connected: Connected = {
    ...{ client, dataConverter, native, taskQueue: `test-${randomUUID()}` },
    close: async () => {
      await connected.worker?.close();
      await connection.close();
      await native.close();
    },
  };
  return connected;
}

/** All files of a process share it, because a worker loads the workflows and polls all queues. It ends with the process. */
let shared: Promise<Connected> | undefined;

/**
 * Connects the tests of a file to the server of the run, and replays their histories after the last test.
 * @param isClear payloads are not encrypted
 * @param isAlone the file has a namespace of its own
 */
export function useTemporal({ isClear = false, isAlone = false } = {}): Temporal {
  const isShared = !isClear && !isAlone;
  const queues = new Set<string>();
  let connected: Connected | undefined;
  let startedAt = new Date();
  let taskQueue: string | undefined;
  beforeAll(async () => {
    if (!isMainThread)
      throw new Error('name a test that needs Temporal *.server.test.ts (see vitest.config.ts)');
    const namespace = isAlone ? `alone-${randomUUID()}` : 'default';
    const open = () => connect(namespace, isClear ? {} : dataConverterFor({ ...SEALING, namespace }));
    connected = isShared ? await (shared ??= open()) : await open();
    startedAt = new Date();
    if (isAlone) await registerNamespace(connected.client);
  });
  afterAll(async () => {
    if (connected === undefined) return;
    const { client, dataConverter } = connected;
    if (queues.size > 0) await replayAll(client, dataConverter, { queues: [...queues], startedAt });
    if (!isShared) await connected.close();
  });
  return {
    get taskQueue() {
      return taskQueue ?? must(connected).taskQueue;
    },
    get client() {
      return must(connected).client;
    },
    run: async (given, work, queue) => {
      const to = must(connected);
      const { client, dataConverter, native } = to;
      taskQueue = queue ?? to.taskQueue;
      queues.add(taskQueue);
      const deps = { temporal: client, taskQueue, now: Date.now };
      const reached = { ...runActivities(deps), askAgreement: askAgreementActivity(deps) };
      const activities = { ...NO_RECORDS, ...given, ...reached };
      const { namespace } = client.options;
      const options = { connection: native, dataConverter, taskQueue, namespace };
      try {
        if (queue !== undefined)
          return await (await createWorker(options, activities, client)).runUntil(work);
        to.worker ??= await startTestWorker(options, client);
        return await to.worker.run(activities, work);
      } finally {
        taskQueue = undefined;
      }
    },
  };
}

export async function registerNamespace(client: Client): Promise<void> {
  const { namespace } = client.options;
  const day = { seconds: Long.fromNumber(86_400) };
  await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  const ensured = () =>
    ensureSearchAttributes(client).then(
      () => true,
      () => false,
    );
  await eventually(ensured, Boolean);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('call useTemporal() at the top of the test file');
  return value;
}

export const skipTime = (client: Client, workflowId: string, enabled = true): Promise<void> =>
  skipTimeIn(namespaceOf(client), workflowId, enabled);

export const fastForward = (client: Client, workflowId: string, seconds: number): Promise<void> =>
  fastForwardIn(namespaceOf(client), workflowId, seconds);

const namespaceOf = ({ workflowService, options: { namespace } }: Client): Namespace => ({
  workflowService,
  namespace,
});

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

export async function eventually<T>(read: () => Promise<T> | T, isIt: (read: T) => boolean): Promise<T> {
  const signal = TestRunner.getCurrentTest()?.context.signal;
  let last: T | undefined;
  const printLast = (): void => console.error('still waiting; last value:', last);
  signal?.addEventListener('abort', printLast);
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      last = await read();
      if (isIt(last)) return last;
      await pause(pauseMs, undefined, { signal });
    }
  } finally {
    signal?.removeEventListener('abort', printLast);
  }
}

/** Repeats a query that a run refuses while it reads its record, as the API does. */
export async function queried<T>(handle: WorkflowHandle, query: QueryDefinition<T>): Promise<T> {
  const answer = await eventually(
    () =>
      handle.query(query).catch((error: unknown) => {
        if (!(error instanceof QueryNotRegisteredError)) throw error;
        return READS_RECORD;
      }),
    (found) => found !== READS_RECORD,
  );
  return answer as T;
}
const READS_RECORD = Symbol('reads its record');

export const eventsOf = async (handle: WorkflowHandle): Promise<number> =>
  (await handle.describe()).historyLength;
