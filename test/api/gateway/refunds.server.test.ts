// A payment refunds at most its amount, and each refund counts once.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliver, messageOf } from '../../../delivery/deliver.js';
import { recipientOf } from '../../../delivery/recipients.js';
import { carry } from '../../../workflows/contracts/every-workflow.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId, refundReports } from '../../../workflows/payment/contract.js';
import { active, ofPayment, ofRefund, refusal, useDoor } from '../../support/api/gateway.js';
import { eventually, skipTime } from '../../support/temporal.js';
import {
  ACTIVE_AT_ONCE,
  aRefundOrder,
  anOrder,
  fetchedPayment,
  fetchedRefund,
} from '../../support/workflows/provider.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { RefundEntry } from '../../../domain/refund/lifecycle.js';
import type { payment } from '../../../workflows/index.js';

const { temporal, withDoor } = useDoor({
  ...ACTIVE_AT_ONCE,
  submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
  submitRefund: ({ uid, order }) => Promise.resolve(fetchedRefund(uid, 'created', order)),
  reportRefund: async ({ paymentUid, connectionId, report }) => {
    const { client, taskQueue } = temporal;
    const message = messageOf('a refund', refundReports, report);
    await deliver({ client, taskQueue }, recipientOf('payment', paymentUid, connectionId), message);
  },
});

const described = (workflowId: string) => temporal.client.workflow.getHandle(workflowId).describe();
/** A payment stays open for a while after its outcome. */
async function untilOver(workflowId: string): Promise<void> {
  await skipTime(temporal.client, workflowId);
  await eventually(
    () => described(workflowId),
    ({ status }) => status.name === 'COMPLETED',
  );
}

async function settled(door: Gateway, agreementUid: string): Promise<string> {
  const uid = `pay-${randomUUID()}`;
  await door.payments.request(uid, anOrder(agreementUid));
  await eventually(
    () => door.payments.view(uid),
    (view) => view?.awaiting.what === 'settlement',
  );
  await door.deliver(ofPayment(uid, { type: 'settled' }), undefined);
  await untilOver(paymentWorkflowId(uid));
  return uid;
}

test('a closed payment checks refunds against its ledger, ignores repeats and counts the outcome', async () => {
  await withDoor(async (door, connection) => {
    const { uid: agreementUid } = await active(door, connection);
    const uid = await settled(door, agreementUid);
    const runOf = async () => (await described(paymentWorkflowId(uid))).runId;
    const firstRun = await runOf();

    const asking = (refund: string, amount: number) => ({ uid: refund, order: aRefundOrder(uid, amount) });
    const [first, second] = [`ref-${randomUUID()}`, `ref-${randomUUID()}`];
    expect(await refusal(door.refunds.request(asking(first, 4201)))).toEqual({
      code: 'refund_over_payment',
      pointers: ['/refund_payment/amount'],
    });
    expect(await runOf()).toBe(firstRun);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => door.refunds.request(asking(first, 4000))),
    );
    expect(answers.map(({ uid: one }) => one)).toEqual([first, first, first]);
    expect(new Set(answers.map(({ connectionId }) => connectionId))).toEqual(new Set([connection]));
    expect(await refusal(door.refunds.request(asking(second, 201)))).toMatchObject({
      code: 'refund_over_payment',
    });
    expect((await described(paymentWorkflowId(uid))).status.name).toBe('RUNNING');

    await eventually(
      () => door.refunds.view(first),
      (view) => view?.awaiting.what === 'refund',
    );
    await door.deliver(ofRefund(first, { type: 'processed' }), undefined);
    await untilOver(paymentWorkflowId(uid));
    expect(await door.refunds.view(first)).toMatchObject({ state: 'processed', submissions: 1 });
    const agreement = await eventually(
      () => door.agreements.whole(agreementUid),
      (view) => view?.payments[0]?.refunded === 4000,
    );
    expect(agreement?.payments).toMatchObject([{ uid, outcome: 'settled', refunded: 4000 }]);
    const lastRun = await runOf();
    expect(await door.refunds.request(asking(first, 4000))).toMatchObject({ state: 'processed' });
    expect(await refusal(door.refunds.request(asking(second, 201)))).toMatchObject({
      code: 'refund_over_payment',
    });
    expect(await refusal(door.refunds.request(asking(first, 1)))).toMatchObject({
      code: 'idempotency_conflict',
    });
    expect(await runOf()).toBe(lastRun);
    expect(await refusal(door.refunds.lookUp(first))).toMatchObject({ code: 'refund_final' });
  });
});

test('a refund whose uid another payment has is refused, and its payment stays closed', async () => {
  await withDoor(async (door, connection) => {
    const { uid: agreementUid } = await active(door, connection);
    const [one, other] = [await settled(door, agreementUid), await settled(door, agreementUid)];
    const refund = `ref-${randomUUID()}`;
    await door.refunds.request({ uid: refund, order: aRefundOrder(one, 1) });
    const taken = door.refunds.request({ uid: refund, order: aRefundOrder(other, 1) });
    expect(await refusal(taken)).toMatchObject({ code: 'idempotency_conflict' });
    expect(await door.payments.view(other)).toMatchObject({
      state: 'settled',
      awaiting: { what: 'nothing' },
    });
  });
});

test('a repeat returns a refund that is just starting, and reports one no longer stored', async () => {
  await withDoor(async (door, connection) => {
    const { uid: agreementUid } = await active(door, connection);
    const uid = await settled(door, agreementUid);
    const handle = temporal.client.workflow.getHandle<typeof payment>(paymentWorkflowId(uid));
    const { carried } = await handle.result();
    const justNow = new Date().toISOString();
    const entry = (refund: string, requestedAt: string): RefundEntry => {
      const order = aRefundOrder(uid, 1000);
      return { uid: refund, order, amount: 1000, requestedAt, outcome: 'under_way', outcomeAt: requestedAt };
    };
    const [fresh, old] = [`ref-${randomUUID()}`, `ref-${randomUUID()}`];
    const refunds = [entry(old, '2026-01-01T00:00:00.000Z'), entry(fresh, justNow)];
    await temporal.client.workflow.start(PAYMENT_WORKFLOW, {
      taskQueue: temporal.taskQueue,
      workflowId: paymentWorkflowId(uid),
      args: [{ uid, carried: carry({ ...carried.state, refunds }) }],
    });
    const requested = (refund: string) =>
      door.refunds.request({ uid: refund, order: aRefundOrder(uid, 1000) });
    expect(await requested(fresh)).toMatchObject({ state: 'requested', requestedAt: justNow });
    expect(await refusal(requested(old))).toMatchObject({ code: 'gone' });
    for (const refund of [fresh, old])
      await handle.signal(refundReports, { uid: refund, amount: 1000, outcome: 'failed', at: justNow });
    await untilOver(paymentWorkflowId(uid));
  });
});

test('a refund of an unknown payment is refused with not_found', async () => {
  await withDoor(async (door) => {
    const requested = door.refunds.request({
      uid: 'ref-none',
      order: aRefundOrder(`pay-${randomUUID()}`, 1),
    });
    expect(await refusal(requested)).toMatchObject({ code: 'not_found' });
  });
});
