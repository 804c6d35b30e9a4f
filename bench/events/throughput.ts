// Many events a second to one endpoint: whether it falls behind.
import { setTimeout as delay } from 'node:timers/promises';
import { createRecords } from '../../records/write.js';
import { createReader } from '../../records/read.js';
import { anAgreement } from '../../cli/first-commands.js';
import { eventually } from '../../cli/api/waiting.js';
import { CONNECTION, type CostStack } from '../cost/stack.js';
import { percentile, type Figure } from '../figures.js';
import { cpuMsOf } from '../process-usage.js';
import type { RecordBatch } from '../../domain/records/batch.js';
import type { Receiver } from './receiver.js';

const PER_SECOND = 200;
const SECONDS = 20;
const TURN_MS = 50;
const PER_TURN = (PER_SECOND * TURN_MS) / 1000;
const TYPE = 'payment.settled';
const SOON_MS = 60_000;
/** An endpoint that keeps up has everything of a second ago. */
const MOST_BEHIND_MS = 1000;

/** Stores events at a steady rate, as workers do, and compares when each was stored and arrived. */
export async function throughput(stack: CostStack, receiver: Receiver): Promise<Figure[]> {
  const view = await settledView(stack);
  const { write } = createRecords(stack.opened);
  const stored = new Map<string, number>();
  const workerBefore = await cpuMsOf(stack.pids.worker);
  const startedAt = performance.now();
  for (let turn = 0; turn * TURN_MS < SECONDS * 1000; turn += 1) {
    await delay(Math.max(startedAt + turn * TURN_MS - performance.now(), 0));
    const batches = Array.from({ length: PER_TURN }, (_, one) => settled(`event-${turn}-${one}`, view));
    await Promise.all(batches.map(write));
    for (const { uid } of batches) stored.set(uid, performance.now());
  }
  const took = (performance.now() - startedAt) / 1000;
  const isMissing = (): number =>
    [...stored.keys()].filter((uid) => receiver.arrivedAt(TYPE, uid) === undefined).length;
  await eventually(
    () => Promise.resolve(isMissing()),
    (count) => count === 0,
    { what: 'all events to arrive', limitMs: SOON_MS },
  );
  const workerCpu = (await cpuMsOf(stack.pids.worker)) - workerBefore;
  const lags = [...stored].map(([uid, at]) => (receiver.arrivedAt(TYPE, uid) ?? Infinity) - at);
  const atEnd = lags.slice(-PER_SECOND);
  return [
    { what: 'events stored in a second', met: Math.round(stored.size / took) },
    { what: `${PER_SECOND} events a second to one endpoint: ms behind, median`, met: percentile(lags, 50) },
    { what: `${PER_SECOND} events a second to one endpoint: ms behind, p99`, met: percentile(lags, 99) },
    {
      what: `${PER_SECOND} events a second to one endpoint: ms behind in the last second, p99`,
      ...{ met: percentile(atEnd, 99), limit: MOST_BEHIND_MS },
    },
    {
      what: `${stored.size} events: CPU ms of the worker for each`,
      met: Math.round((workerCpu / stored.size) * 10) / 10,
    },
  ];
}

/** The view of a real payment. */
async function settledView(stack: CostStack): Promise<object> {
  const [uid, payment] = ['bench-events', 'bench-events-payment'];
  await stack.provider.scriptPayer(uid, { simulate: 'debtor_accept' });
  await stack.api.createAgreement(anAgreement({ uid, connection: CONNECTION, description: 'a bench' }), 20);
  await stack.post(`/v1/agreements/${uid}/payments`, { uid: payment, amount: 100 });
  const reader = createReader(stack.opened);
  const row = await eventually(
    () => reader.row('payment', payment),
    (found) => found !== undefined && Reflect.get(found.view as object, 'state') === 'settled',
    { what: 'a payment to settle', limitMs: SOON_MS },
  );
  return row?.view as object;
}

function settled(uid: string, view: object): RecordBatch {
  const at = new Date().toISOString();
  const [workflowId, version] = [`payment/${uid}`, Date.now() * 1000];
  return {
    ...{ resource: 'payment', uid, workflowId, runId: uid, identity: uid, connectionId: CONNECTION },
    ...{ follows: 0, taskFollows: 0 },
    entries: [
      {
        ...{ sequence: version, kind: 'state', name: 'settled', at, data: { from: 'pending' } },
        event: { number: 1 },
      },
    ],
    row: { version: version + 1, at, view: { ...view, uid } },
  };
}
