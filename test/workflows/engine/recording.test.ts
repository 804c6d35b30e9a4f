import { expect, test } from 'vitest';
import {
  flagBacklog,
  fullBatch,
  recordChanges,
  hasNews,
  hashedView,
  newRecording,
  nextBatch,
} from '../../../workflows/engine/recording.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { aFact } from '../../support/facts.js';
import { fetchedPayment } from '../../support/workflows/provider.js';
import { inVirtualTime } from '../../support/workflows/virtual.js';
import type { PaymentState } from '../../../workflows/payment/state.js';

const submitPayment = ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'created'));
const NOON = '2026-11-01T12:00:00.000Z';
const NOTHING_RECORDED = newRecording('run-1');
const CONTEXT = { now: NOON, runId: 'run-1', taskFollows: 0, atMost: Infinity };
const contextOf = (state: PaymentState) => ({ ...CONTEXT, ...hashedView(PAYMENT.record, state) });

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
  const full = fullBatch(PAYMENT.record, changed.after, NOTHING_RECORDED, CONTEXT);
  expect(full.entries).toMatchObject([{ kind: 'fact', at: NOON }]);
});

test('sequences grow with the clock, also after a reset to an earlier state', async () => {
  const state = await aState();
  const { batch, stored: noon } = nextBatch(PAYMENT.record, state, NOTHING_RECORDED, contextOf(state));
  expect(batch.row.version).toBe(Date.parse(NOON) * 1000);
  const changed = { before: state, after: { ...state, withdrawn: { reason: 'not wanted', by: 'ops' } } };
  const next = recordChanges(PAYMENT.record, noon, changed, NOON);
  expect(next.waiting).toMatchObject([{ kind: 'command', name: 'withdrawal', sequence: noon.sequence + 1 }]);
  const later = recordChanges(PAYMENT.record, NOTHING_RECORDED, changed, '2026-11-01T12:00:01.000Z');
  expect(later.sequence).toBeGreaterThan(next.sequence);
  expect(hasNews(noon, contextOf(state))).toBe(false);
});

test('batches name the one before, and one that leaves entries to the next comes before them', async () => {
  const state = await aState();
  const entry = { sequence: 0, kind: 'decision', name: 'x', at: NOON, data: {} } as const;
  const waiting = [1, 2, 3].map((sequence) => ({ ...entry, sequence }));
  const records = { ...NOTHING_RECORDED, sequence: 3, waiting };
  const first = nextBatch(PAYMENT.record, state, records, { ...contextOf(state), atMost: 2 });
  expect(first.batch).toMatchObject({
    follows: 0,
    entries: [{ sequence: 1 }, { sequence: 2 }],
    row: { version: 2 },
  });
  expect(first.stored).toMatchObject({ waiting: [{ sequence: 3 }], follows: 2 });
  const second = nextBatch(PAYMENT.record, state, first.stored, contextOf(state));
  expect(second.batch).toMatchObject({ follows: 2, entries: [{ sequence: 3 }] });
  expect(second.stored).toMatchObject({ waiting: [], follows: second.batch.row.version });
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

test('data that the database refuses raise a flag with the code', async () => {
  const refused = flagBacklog(await aState(), { ...NOTHING_RECORDED, refused: '22P05' }, NOON);
  expect(refused.attention).toMatchObject([
    { code: 'records', detail: expect.stringContaining('22P05') as string },
  ]);
});

test('a full batch has every fact and the current row', async () => {
  const payment = await inVirtualTime({ submitPayment }).payment();
  await payment.receive(aFact('settled'));
  const recording = payment.cell.recorder.recording();
  const { entries, row } = fullBatch(PAYMENT.record, payment.state(), recording, CONTEXT);
  expect(entries.map(({ factId }) => factId)).toEqual(payment.state().facts.map(({ id }) => id));
  expect(row).toMatchObject({ version: recording.follows, view: { state: 'settled' } });
});
