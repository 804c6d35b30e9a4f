import { expect, test } from 'vitest';
import { createStateStore } from '../../../workflows/engine/reconcile.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { aFact } from '../../support/facts.js';
import { aRefundOrder, fetchedPayment } from '../../support/workflows/provider.js';
import { SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { RefundOutcome } from '../../../domain/refund/lifecycle.js';
import type { Child } from '../../../workflows/engine/runtime.js';
import type { PaymentState } from '../../../workflows/payment/state.js';

async function settled(given: Partial<Activities> = {}) {
  const scene = inVirtualTime({
    ...given,
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
  });
  const before = await scene.payment();
  await before.receive(aFact('settled'));
  const { uid } = before;
  const children: Child[] = [];
  const begun = new Set<string>();
  const ask = async (from: PaymentState, refund: string, amount: number) => {
    const cell = createStateStore(from, PAYMENT.record, before.runtime());
    const request = { uid: refund, order: aRefundOrder(uid, amount), by: 'key-1' };
    const startChild = (child: Child): Promise<boolean> => {
      children.push(child);
      const isFree = !begun.has(child.workflowId);
      begun.add(child.workflowId);
      return Promise.resolve(isFree);
    };
    PAYMENT.handlers.requestRefund.validate?.(cell.read(), request, scene.now());
    const asked = PAYMENT.handlers.requestRefund.handle(cell, { ...before.runtime(), startChild }, request);
    const [answer] = await Promise.all([asked, scene.settle()]);
    return { answer, payment: await scene.payment({ uid, carried: cell.read() }) };
  };
  const report = (refund: string, outcome: RefundOutcome, at = scene.now()) =>
    ({ uid: refund, amount: 1000, outcome, at }) as const;
  return { scene, uid, before, ask, report, children, begun };
}

test('a payment starts each refund once and stays open until it reports an outcome', async () => {
  const { scene, uid, before, ask, report, children } = await settled();
  const { answer, payment } = await ask(before.state(), 'ref-1', 1000);
  expect(answer).toEqual({ connectionId: 'acme', requestedAt: scene.now() });
  const order = aRefundOrder(uid, 1000);
  expect(children).toMatchObject([
    { workflow: 'refund', workflowId: 'refund/ref-1', input: { uid: 'ref-1', connectionId: 'acme', order } },
  ]);
  expect(payment.view()).toMatchObject({ state: 'settled', awaiting: { what: 'refund' } });
  expect(payment.isOver()).toBe(false);
  const again = await payment.refund({ uid: 'ref-1', order });
  expect([again.isRepeat, children.length]).toEqual([true, 1]);

  await payment.refundReports(report('ref-1', 'processed'));
  expect(payment.isOver()).toBe(true);
  const refunded = { uid: 'ref-1', amount: 1000, outcome: 'processed', requestedBy: 'key-1' };
  expect(payment.view().refunds).toMatchObject([refunded]);
  expect(scene.reports.map(({ outcome, refunded }) => [outcome, refunded])).toEqual([
    ['settled', undefined],
    ['settled', 1000],
  ]);
});

test('refunds never exceed the payment and a failed refund releases its amount', async () => {
  const { before, ask, report } = await settled();
  const { payment } = await ask(before.state(), 'ref-1', 1000);
  const whole = (uid: string) => payment.refund({ uid, order: aRefundOrder(before.uid, 4200) });
  await expect(whole('ref-2')).rejects.toMatchObject({ type: 'refund_over_payment' });
  expect(payment.view().refunds).toHaveLength(1);
  await payment.refundReports(report('ref-1', 'failed'));
  expect(payment.isOver()).toBe(true);
  const { answer } = await ask(payment.state(), 'ref-2', 4200);
  expect(answer.isRepeat).toBeUndefined();
});

test('a refund whose uid belongs to another payment is refused', async () => {
  const { before, ask, begun } = await settled();
  begun.add('refund/ref-1');
  const refused = ask(before.state(), 'ref-1', 1000);
  await expect(refused).rejects.toMatchObject({ type: 'refund_uid_conflict' });
});

test('a refund whose uid only an event has named is admitted and counts', async () => {
  const { before, ask, begun } = await settled({
    claimRefund: ({ order, requestedAt = '' }) =>
      Promise.resolve({ of: order?.original_payment_uid, amount: 4200, requestedAt, order }),
  });
  begun.add('refund/ref-1');
  const { answer, payment } = await ask(before.state(), 'ref-1', 4200);
  expect(answer).not.toHaveProperty('isRepeat');
  expect(payment.view().refunds).toMatchObject([{ uid: 'ref-1', amount: 4200, outcome: 'under_way' }]);
});

test('a refund whose uid has a run that does not answer is refused and frees its share', async () => {
  const { before, ask, begun, scene } = await settled({ claimRefund: () => unanswered<never>().answer });
  begun.add('refund/ref-1');
  const refused = ask(before.state(), 'ref-1', 4200);
  refused.catch(() => undefined);
  await scene.pass(8 * SECOND);
  await expect(refused).rejects.toMatchObject({ type: 'uid_unclear' });
});

test('a refund lost in a reset counts again and only the same order is a repeat', async () => {
  const order = (amount: number) => aRefundOrder(before.uid, amount);
  const { before, ask, begun } = await settled({
    claimRefund: () =>
      Promise.resolve({
        ...{ of: before.uid, amount: 4000, requestedAt: '2026-10-31T00:00:00.000Z' },
        ...{ outcome: 'under_way', order: order(4000) },
      }),
  });
  begun.add('refund/ref-1');
  const { answer, payment } = await ask(before.state(), 'ref-1', 4000);
  expect(answer).toMatchObject({ isRepeat: true });
  const more = payment.refund({ uid: 'ref-2', order: order(201) });
  await expect(more).rejects.toMatchObject({ type: 'refund_over_payment' });
  const other = ask(before.state(), 'ref-1', 1);
  await expect(other).rejects.toMatchObject({ type: 'refund_uid_conflict' });
});

test('a payment that has not settled refuses a refund', async () => {
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
  });
  const payment = await scene.payment();
  const refused = payment.refund({ uid: 'ref-1', order: aRefundOrder(payment.uid, 1) });
  await expect(refused).rejects.toMatchObject({ type: 'payment_not_settled' });
});

test('an adopted refund counts and an outdated report changes nothing', async () => {
  const { scene, before, ask, report } = await settled();
  const { payment } = await ask(before.state(), 'ref-1', 1000);
  await payment.refundReports(report('ref-adopted', 'processed', '2026-11-01T05:00:00.000Z'));
  await payment.refundReports(report('ref-adopted', 'failed', '2026-11-01T04:00:00.000Z'));
  expect(scene.reports.at(-1)).toMatchObject({ outcome: 'settled', refunded: 1000 });
  const over = payment.refund({ uid: 'ref-2', order: aRefundOrder(before.uid, 2201) });
  await expect(over).rejects.toMatchObject({ type: 'refund_over_payment' });
});

test('a report corrects the time that a look-up gave, and a later outcome counts whatever its time', async () => {
  const { before, ask, report } = await settled();
  const { payment } = await ask(before.state(), 'ref-1', 1000);
  for (const [outcome, at] of [
    ['failed', '2026-11-01T05:00:00.000Z'],
    ['failed', '2026-11-01T04:00:00.000Z'],
    ['processed', '2026-11-01T03:00:00.000Z'],
  ] as const) {
    await payment.refundReports(report('ref-1', outcome, at));
    expect(payment.view().refunds).toMatchObject([{ outcome, outcomeAt: at }]);
  }
});

test('failed adopted refunds are not stored', async () => {
  const { before, ask, report } = await settled();
  const { payment } = await ask(before.state(), 'ref-1', 1000);
  await payment.refundReports(report('adopted', 'under_way'));
  await payment.refundReports(report('adopted', 'failed'));
  await payment.refundReports(report('adopted-2', 'failed'));
  await payment.refundReports(report('ref-1', 'failed'));
  expect(payment.view().refunds).toMatchObject([{ uid: 'ref-1', outcome: 'failed' }]);
});
