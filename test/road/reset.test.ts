import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { active, callsOf, overHttp, paymentsAt } from '../support/over-http.js';
import { aPayment, type HttpStack } from '../support/http-stack.js';
import { skipTime, useTemporal } from '../support/temporal.js';
import type { WorkflowHandle } from '@temporalio/client';

const temporal = useTemporal();

async function reset(uid: string, task: number): Promise<WorkflowHandle> {
  const { client } = temporal;
  const handle = client.workflow.getHandle(paymentWorkflowId(uid));
  await handle.query(getPayment);
  const { events } = await handle.fetchHistory();
  const completed = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
  const workflowTaskFinishEventId = completed.at(task)?.eventId;
  if (workflowTaskFinishEventId === undefined) throw new Error(`expected a completed task ${task} of ${uid}`);
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: handle.workflowId, runId: (await handle.describe()).runId },
    reason: 'test',
    workflowTaskFinishEventId,
    requestId: randomUUID(),
  });
  return client.workflow.getHandle(handle.workflowId, runId);
}

const entered = ({ sandbox }: HttpStack, uid: string, state: string): number =>
  sandbox.control
    .ledger()
    .filter((entry) => entry.kind === 'change' && entry.resource_uid === uid && entry.to === state).length;

function expectPaidOnce(http: HttpStack, uid: string): void {
  expect(paymentsAt(http, uid)).toMatchObject([{ uid, state: 'settled', amount: 4200 }]);
  expect([entered(http, uid, 'created'), entered(http, uid, 'settled')]).toEqual([1, 1]);
}

test('a payment reset before its submission sends its uid again and finds the existing payment', async () => {
  await overHttp(temporal, async (http, connection) => {
    const payment = aPayment();
    await http.backend.pay(await active(http, connection), payment, { wait: 20 });
    await http.backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
    await (await reset(payment.uid, 0)).result();
    expect((await http.backend.payment(payment.uid)).data).toMatchObject({
      state: 'settled',
      submissions: 1,
    });
    expect(callsOf(http, 'create_payment', payment.uid)).toMatchObject([{ status: 201 }, { status: 422 }]);
    expectPaidOnce(http, payment.uid);
  });
});

test('a payment reset during an unclear submission is looked up and not sent again', async () => {
  await overHttp(temporal, async (http, connection) => {
    const agreement = await active(http, connection);
    http.sandbox.control.addFault({ on: 'create_payment', do: 'cut_after_commit', times: 1 });
    http.sandbox.control.addFault({ on: 'webhook', do: 'lose' });
    const payment = aPayment();
    await http.backend.pay(agreement, payment);
    await http.backend.untilPayment(payment.uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
    const handle = await reset(payment.uid, -1);
    await skipTime(temporal.client, handle.workflowId);
    await handle.result();
    expect((await http.backend.payment(payment.uid)).data).toMatchObject({
      state: 'settled',
      submissions: 1,
    });
    expect(callsOf(http, 'create_payment', payment.uid)).toMatchObject([{ status: 'cut' }]);
    expectPaidOnce(http, payment.uid);
  });
});

test('a settled payment that is reset stays settled and sends nothing', async () => {
  await overHttp(temporal, async (http, connection) => {
    const agreement = await active(http, connection);
    const payment = aPayment();
    await http.backend.pay(agreement, payment, { wait: 20 });
    await http.backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
    await temporal.client.workflow.getHandle(paymentWorkflowId(payment.uid)).result();
    await (await reset(payment.uid, -1)).result();
    expect((await http.backend.payment(payment.uid)).data).toMatchObject({ state: 'settled' });
    expect(callsOf(http, 'create_payment', payment.uid)).toHaveLength(1);
    expectPaidOnce(http, payment.uid);
    const { body } = await http.get(`/v1/agreements/${agreement}/payments`);
    expect(body).toMatchObject({ data: [{ uid: payment.uid, outcome: 'settled' }] });
  });
});
