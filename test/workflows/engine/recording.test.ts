import { expect, test } from 'vitest';
import { recordActivities } from '../../../activities/record.js';
import {
  NOTHING_RECORDED,
  flagBacklog,
  fullBatch,
  recordChanges,
  recordRow,
} from '../../../workflows/engine/recording.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { aPaymentBatch } from '../../support/a-batch.js';
import { aFact } from '../../support/facts.js';
import { fetchedPayment } from '../../support/workflows/provider.js';
import { inVirtualTime } from '../../support/workflows/virtual.js';
import type { Dependencies } from '../../../activities/dependencies.js';
import type { RecordBatch } from '../../../domain/records/batch.js';
import type { PaymentState } from '../../../workflows/payment/state.js';

const submitPayment = ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'created'));
const NOON = '2026-11-01T12:00:00.000Z';

async function aState(): Promise<PaymentState> {
  return (await inVirtualTime({ submitPayment }).payment()).state();
}

test('a repeated event records nothing', async () => {
  const scene = inVirtualTime({ submitPayment });
  const payment = await scene.payment();
  const fact = aFact('settled');
  await payment.receive(fact);
  const before = payment.cell.recorder.recording();
  await payment.receive(fact, { ...fact });
  expect(payment.cell.recorder.recording()).toEqual(before);
});

test('a look-up is recorded at its own time, although its fact has a place among the events', async () => {
  const state = await aState();
  const fact = aFact('observed', { source: 'lookup', state: 'settled', receivedAt: NOON });
  const changed = { before: state, after: { ...state, facts: [fact] } };
  const { waiting } = recordChanges(PAYMENT.record, NOTHING_RECORDED, changed, NOON);
  expect(waiting).toMatchObject([
    { kind: 'fact', at: NOON },
    { kind: 'state', data: { since: NOON } },
  ]);
  const full = fullBatch(PAYMENT.record, changed.after, NOTHING_RECORDED);
  expect(full.entries).toMatchObject([{ kind: 'fact', at: NOON }]);
});

test('sequences grow with the clock, also after a reset to an earlier state', async () => {
  const state = await aState();
  const noon = recordRow(PAYMENT.record, NOTHING_RECORDED, state, NOON);
  expect(noon.row?.version).toBe(Date.parse(NOON) * 1000);
  const changed = { before: state, after: { ...state, withdrawn: { reason: 'not wanted', by: 'ops' } } };
  const next = recordChanges(PAYMENT.record, noon, changed, NOON);
  expect(next.waiting).toMatchObject([{ kind: 'command', name: 'withdrawal', sequence: noon.sequence + 1 }]);
  const later = recordChanges(PAYMENT.record, NOTHING_RECORDED, changed, '2026-11-01T12:00:01.000Z');
  expect(later.sequence).toBeGreaterThan(next.sequence);
  expect(recordRow(PAYMENT.record, noon, state, '2026-11-02T12:00:00.000Z')).toBe(noon);
});

test('many waiting bytes raise a flag, which is lowered once they are stored', async () => {
  const state = await aState();
  const entry = {
    sequence: 1,
    kind: 'fact',
    name: 'settled',
    at: NOON,
    data: { text: 'x'.repeat(270_000) },
  } as const;
  const raised = flagBacklog(state, { ...NOTHING_RECORDED, waiting: [entry] }, NOON);
  expect(raised.attention).toMatchObject([{ code: 'records', since: NOON }]);
  expect(flagBacklog(raised, NOTHING_RECORDED, NOON).attention).toEqual([]);
});

test('a full batch has every fact and the current row', async () => {
  const payment = await inVirtualTime({ submitPayment }).payment();
  await payment.receive(aFact('settled'));
  const { entries, row } = fullBatch(PAYMENT.record, payment.state(), payment.cell.recorder.recording());
  expect(entries.map(({ factId }) => factId)).toEqual(payment.state().facts.map(({ id }) => id));
  expect(row).toMatchObject({
    version: payment.cell.recorder.recording().row?.version,
    view: { state: 'settled' },
  });
});

function aWorker(write: (batch: RecordBatch) => Promise<void>) {
  const time = { ms: 0 };
  const signals: string[] = [];
  const getHandle = (workflowId: string) => ({ signal: () => Promise.resolve(signals.push(workflowId)) });
  const temporal = { workflow: { getHandle } } as unknown as Dependencies['temporal'];
  return { time, signals, ...recordActivities({ records: { write }, temporal, now: () => time.ms }) };
}

test('after a failure the worker makes no further try for 30 seconds, and signals each workflow', async () => {
  let tries = 0;
  const { time, signals, recordNow } = aWorker(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('hunter2')) : Promise.resolve();
  });
  const [one, other] = [aPaymentBatch(), aPaymentBatch()];
  await expect(recordNow(one)).rejects.toMatchObject({ type: 'records_failed', message: /no answer/ });
  await expect(recordNow(other)).rejects.toMatchObject({ type: 'records_away' });
  expect({ tries, signals }).toEqual({ tries: 1, signals: [one.workflowId, other.workflowId] });
  time.ms = 30_000;
  await recordNow(other);
  expect(tries).toBe(2);
});

test('batches of one workflow are stored in the order of their calls', async () => {
  const stored: number[] = [];
  const { recordNow } = aWorker(async ({ row }) => {
    await new Promise((resolve) => setTimeout(resolve, row.version === 1 ? 20 : 0));
    stored.push(row.version);
  });
  const batch = aPaymentBatch();
  await Promise.all([1, 2, 3].map((version) => recordNow({ ...batch, row: { ...batch.row, version } })));
  expect(stored).toEqual([1, 2, 3]);
});
