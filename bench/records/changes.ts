// The CPU of storing changes: that of a worker whose sink stores them, above that of one whose sink does nothing. Both run the same lives, in turn.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { execaNode } from 'execa';
import { z } from 'zod';
import { announced, eventually } from '../../cli/api/waiting.js';
import { openRecords } from '../../records/database.js';
import { dataConverterFor } from '../../sealing/data-converter.js';
import {
  NOTIFICATION_WORKFLOW,
  acknowledge,
  notificationWorkflowId,
  type NotificationInput,
} from '../../workflows/notification/contract.js';
import { median, type Figure } from '../figures.js';
import { withTemporal } from '../temporal.js';
import type { RecordsStack } from './stack.js';

/** A notification arrives, and an operator acknowledges it. Each is a workflow task with one batch: its entries, and the row. */
const CHANGES_PER_LIFE = 2;
const LIVES_PER_TURN = 1000;
const TURNS = 5;
const WARM_UP_LIVES = 300;
/** The lives start and end in groups. */
const AT_A_TIME = 20;
const IDLE_MS = 60_000;
const NAMESPACE = 'default';
const MOST_MS = 1;

const WorkerStatus = z.object({
  cpuMs: z.number().describe('user and system time'),
  cached: z.number().describe('runs in the cache'),
  active: z.number().describe('tasks in progress'),
});
export type WorkerStatus = z.output<typeof WorkerStatus>;

export const storedChanges = (stack: RecordsStack, print: (line: string) => void): Promise<Figure[]> =>
  withTemporal(async (address) => {
    const connection = await Connection.connect({ address });
    const dataConverter = dataConverterFor({ keyring: stack.keyring, namespace: NAMESPACE });
    const temporal = new Client({ connection, namespace: NAMESPACE, dataConverter });
    const environment = { ...stack.workerEnvironment, TEMPORAL_ADDRESS: address };
    const [storing, ignoring] = await announced(print, '  … starting two workers', () =>
      Promise.all([
        startWorker('storing', environment, temporal),
        startWorker('ignoring', environment, temporal),
      ]),
    );
    try {
      const figures = await measure({ storing, ignoring }, print);
      await checkStored(stack);
      return figures;
    } finally {
      await Promise.all([storing.stop(), ignoring.stop()]);
      await connection.close();
    }
  });

/** What the sink of a worker does with a batch. */
type Sink = 'storing' | 'ignoring';

interface Measured {
  /** Runs lives. Returns the CPU milliseconds that the process has used. */
  run: (lives: number) => Promise<number>;
  stop: () => Promise<void>;
}

/** Each turn measures both workers, so that a busy machine affects both. */
async function measure(
  workers: Readonly<Record<Sink, Measured>>,
  print: (line: string) => void,
): Promise<Figure[]> {
  const run = (sink: Sink, lives: number, what: string): Promise<number> =>
    announced(print, `  … ${what}, ${sink}`, () => workers[sink].run(lives));
  for (const sink of ['storing', 'ignoring'] as const) await run(sink, WARM_UP_LIVES, 'warming up');
  const turns: Record<Sink, number>[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const what = `turn ${turn} of ${TURNS}`;
    const storing = await run('storing', LIVES_PER_TURN, what);
    const ignoring = await run('ignoring', LIVES_PER_TURN, what);
    turns.push({ storing, ignoring });
    print(`  … ${what}: CPU ms ${Math.round(storing)} storing, ${Math.round(ignoring)} ignoring`);
  }
  const changes = TURNS * LIVES_PER_TURN * CHANGES_PER_LIFE;
  const total = (sink: Sink): number => Math.round(turns.reduce((sum, met) => sum + met[sink], 0));
  const perChange = turns.map(
    ({ storing, ignoring }) => (storing - ignoring) / (LIVES_PER_TURN * CHANGES_PER_LIFE),
  );
  return [
    { what: `${changes} stored changes: CPU ms of the worker`, met: total('storing') },
    { what: 'the same lives, nothing stored: CPU ms of the worker', met: total('ignoring') },
    {
      what: 'a stored change: CPU ms of the worker, median of the turns',
      met: Math.round(median(perChange) * 1000) / 1000,
      limit: MOST_MS,
    },
  ];
}

async function startWorker(
  sink: Sink,
  environment: Readonly<Record<string, string>>,
  temporal: Client,
): Promise<Measured> {
  const taskQueue = `bench-${sink}`;
  const worker = execaNode(join(import.meta.dirname, 'worker.ts'), [sink], {
    ...{ nodeOptions: ['--import', 'tsx'], stdout: 'inherit', stderr: 'inherit' },
    env: { ...environment, TASK_QUEUE: taskQueue },
  });
  await worker.getOneMessage();
  const status = async (): Promise<WorkerStatus> => {
    const [answer] = await Promise.all([worker.getOneMessage(), worker.sendMessage('status')]);
    return WorkerStatus.parse(answer);
  };
  /** All tasks have completed, and this many runs are open. */
  const idleWith = (runs: number): Promise<WorkerStatus> =>
    eventually(status, ({ cached, active }) => cached === runs && active === 0, {
      what: `an idle worker with ${runs} open runs`,
      limitMs: IDLE_MS,
    });
  return {
    run: async (lives) => {
      const before = await status();
      for (let left = lives; left > 0; left -= AT_A_TIME) {
        const started = await Promise.all(
          Array.from({ length: AT_A_TIME }, () => startLife(temporal, taskQueue)),
        );
        await idleWith(AT_A_TIME); // Otherwise one task would do both.
        await Promise.all(started.map(endLife));
        await idleWith(0);
      }
      return (await status()).cpuMs - before.cpuMs;
    },
    stop: async () => {
      await worker.sendMessage('stop');
      await worker;
    },
  };
}

const startLife = (temporal: Client, taskQueue: string): Promise<WorkflowHandle> =>
  temporal.workflow.start(NOTIFICATION_WORKFLOW, {
    ...{ taskQueue, workflowId: notificationWorkflowId(randomUUID()) },
    args: [notification()],
  });

const endLife = (handle: WorkflowHandle): Promise<unknown> =>
  handle.executeUpdate(acknowledge, { args: [{ by: 'bench', reason: 'read' }] });

function notification(): NotificationInput {
  const now = new Date().toISOString();
  const fact = {
    id: randomUUID(),
    type: 'investigations.message_received',
    publishedAt: now,
    receivedAt: now,
  };
  return {
    resourceType: 'Investigation',
    fact: {
      ...fact,
      source: 'webhook',
      authenticated: true,
      detail: { message: 'Please confirm the amount.' },
    },
  };
}

/** @throws if a life has stored more or less than expected. */
async function checkStored({ settings }: RecordsStack): Promise<void> {
  const { db, close } = openRecords(settings);
  const ends = await db.selectFrom('entries').select('sequence').where('kind', '=', 'view').execute();
  await close();
  const expected = WARM_UP_LIVES + TURNS * LIVES_PER_TURN;
  if (ends.length !== expected) throw new Error(`expected ${expected} stored ends; found ${ends.length}`);
}
