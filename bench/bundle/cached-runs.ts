// A separate process that caches many runs of one workflow, and prints the heap of each in bytes.
// Usage: node --expose-gc --import tsx bench/bundle/cached-runs.ts <ours | empty> <bundle> <address> <runs>
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { eventually } from '../../cli/api/waiting.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { AGREEMENT_WORKFLOW, agreementFact, getAgreement } from '../../workflows/agreement/contract.js';
import type { Activities } from '../../activities/index.js';

const WARM_UP_RUNS = 20;
/** A busy machine could not answer more in time. */
const AT_A_TIME = 20;
const LIMIT_MS = 120_000;
const MANDATE = {
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: { party_name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
  payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25_000 },
};

/** A provider that accepts every agreement, and never reports news. */
const ACTIVITIES: Pick<Activities, 'createAgreement' | 'watchAgreement'> = {
  createAgreement: ({ uid }) => {
    const fetchedAt = new Date().toISOString();
    return Promise.resolve({ fetchedAt, snapshot: { uid, state: 'created', mandate: MANDATE }, history: [] });
  },
  watchAgreement: () => {
    const category = ApplicationFailureCategory.BENIGN;
    throw ApplicationFailure.create({ type: 'nothing_new', nextRetryDelay: '50h', category });
  },
};

const [kind, codePath = '', address = '', count = '0'] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const client = new Client({ connection });
await ensureSearchAttributes(client);
const taskQueue = `bench-${randomUUID()}`;
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { codePath },
  activities: ACTIVITIES,
  sinks: { records: { store: { fn: () => undefined } } },
  maxCachedWorkflows: 2 * (Number(count) + WARM_UP_RUNS),
  // Runs workflows in this thread, because the heap of a separate one cannot be measured. Nothing else changes.
  debugMode: true,
});
console.log(await worker.runUntil(measure));
await connection.close();

async function measure(): Promise<number> {
  await cache(WARM_UP_RUNS); // Loads and compiles the code that all runs share.
  const before = await heap();
  await cache(Number(count));
  return Math.round(((await heap()) - before) / Number(count));
}

/** Starts this many additional runs, and waits until all are idle in the cache. */
async function cache(more: number): Promise<void> {
  const cached = worker.getStatus().numCachedWorkflows + more;
  for (let left = more; left > 0; left -= AT_A_TIME) {
    const some = Array.from({ length: Math.min(left, AT_A_TIME) });
    await Promise.all(some.map(() => (kind === 'ours' ? startAgreement() : startEmpty())));
  }
  await until(() => Promise.resolve(worker.getStatus().numCachedWorkflows === cached));
}

async function startEmpty(): Promise<void> {
  const handle = await client.workflow.start('empty', { taskQueue, workflowId: `bench/${randomUUID()}` });
  await until(async () => (await handle.describe()).historyLength >= 4);
}

/** The usual idle state of an agreement: created, accepted by its payer through a webhook, active. */
async function startAgreement(): Promise<void> {
  const uid = `bench-${randomUUID()}`;
  const handle = await client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue,
    workflowId: `bench/${uid}`,
    args: [{ uid, connectionId: 'bench', mandate: MANDATE }],
  });
  await until(() => isIn(handle, 'created'));
  const now = new Date().toISOString();
  await handle.signal(agreementFact, {
    id: randomUUID(),
    type: 'activated',
    publishedAt: now,
    receivedAt: now,
    source: 'webhook',
    authenticated: true,
  });
  await until(() => isIn(handle, 'active'));
}

async function isIn(handle: WorkflowHandle, state: string): Promise<boolean> {
  const view = await handle.query(getAgreement);
  return view.state === state && view.awaiting.what === (state === 'active' ? 'nothing' : 'payer-decision');
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await eventually(isSo, (met) => met, { what: `idle ${kind} runs`, limitMs: LIMIT_MS });
}

/** Collects repeatedly, with time for finalizers, because objects freed by one collection may release more. */
async function heap(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('expected node --expose-gc');
  for (let round = 0; round < 3; round += 1) {
    await delay(300);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
