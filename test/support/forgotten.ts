import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject } from 'vitest';
import { deliverNotification } from '../../delivery/notifications.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { active } from './on-the-road.js';
import { opened } from './database.js';
import { aPayment, type Road } from './road.js';
import { FLOAT_ID } from './sandbox/payments.js';
import { eventually, skipTime, type Temporal } from './temporal.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { Notification } from '../../domain/resources.js';
import type { RecordsDatabase } from '../../records/database.js';
import type { PaymentBody } from './backend.js';

/** The server deletes a run at once if it has acknowledged the task of its end (global-setup.ts), and otherwise tries again after seconds. */
const ACKNOWLEDGED_MS = 700;

/** Waits until the runs have ended, and deletes them as Temporal's retention does. */
export async function forget({ client }: Temporal, ...workflowIds: string[]): Promise<void> {
  const { namespace } = client.options;
  const handles = workflowIds.map((id) => client.workflow.getHandle(id));
  for (const handle of handles)
    await eventually(
      () => handle.describe(),
      ({ status }) => status.name !== 'RUNNING',
    );
  await pause(ACKNOWLEDGED_MS);
  for (const { workflowId } of handles)
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  const isThere = (handle: (typeof handles)[number]) =>
    handle.describe().then(
      () => true,
      () => false,
    );
  for (const handle of handles)
    await eventually(
      () => isThere(handle),
      (is) => !is,
    );
}

/** As after a reset that went wrong: the run leaves no end state in its result. */
export async function terminateAndForget(temporal: Temporal, workflowId: string): Promise<void> {
  await temporal.client.workflow.getHandle(workflowId).terminate();
  await forget(temporal, workflowId);
}

/** A reopened run stays open for a while. */
export async function untilOver({ client }: Temporal, workflowId: string): Promise<void> {
  await skipTime(client, workflowId);
  await eventually(
    () => client.workflow.getHandle(workflowId).describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
}

export const aRefund = (amount: number) => ({
  uid: `ref-${randomUUID()}`,
  refund_payment: {
    type: 'float_bank_payment' as const,
    float_bank_account_id: FLOAT_ID,
    amount,
    description: 'REFUND part',
  },
});

export async function settled(
  { backend }: Road,
  agreement: string,
  over: Partial<PaymentBody> = {},
): Promise<ReturnType<typeof aPayment>> {
  const payment = aPayment(undefined, over);
  expect(await backend.pay(agreement, payment)).toMatchObject({ status: 202 });
  await backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
  return payment;
}

/** A settled payment with 4,000 of 4,200 cents refunded, both forgotten. */
export async function refundedAndForgotten(temporal: Temporal, road: Road, connection: string) {
  const { backend } = road;
  const agreement = await active(road, connection);
  const payment = await settled(road, agreement);
  const refund = aRefund(4000);
  await backend.refund(payment.uid, refund);
  await backend.untilRefund(refund.uid, ({ state }) => state === 'processed');
  await backend.untilPayment(payment.uid, ({ refunded }) => refunded === 4000);
  await skipTime(temporal.client, paymentWorkflowId(payment.uid));
  await forget(temporal, refundWorkflowId(refund.uid), paymentWorkflowId(payment.uid));
  return { agreement, payment, refund };
}

export const aFact = (type: string, over: Partial<Fact> = {}): Fact => {
  const at = new Date().toISOString();
  return {
    ...{ id: randomUUID(), type, source: 'webhook', authenticated: true, publishedAt: at, receivedAt: at },
    ...over,
  };
};

/** An event of the provider that arrives late. */
export async function late(
  { client, taskQueue }: Temporal,
  { resource, uid }: Pick<Notification, 'resource' | 'uid'>,
  fact: Fact,
  connection?: string,
): Promise<void> {
  const sent = { resource, resourceType: `payto_${resource}`, fact, ...(uid !== undefined && { uid }) };
  expect(await deliverNotification({ client, taskQueue }, sent, connection, 'a notification')).toBe(true);
}

export const asOwner = (): RecordsDatabase['db'] => opened(inject('recordsAdminUrl')).db;
