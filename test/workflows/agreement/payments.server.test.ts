import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  agreementFact,
  getAgreement,
  judgePayment,
  requestPayment,
} from '../../../workflows/agreement/contract.js';
import { deliver, messageOf } from '../../../delivery/deliver.js';
import { recipientOf } from '../../../delivery/recipients.js';
import { paymentFact, paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { aFact } from '../../support/facts.js';
import { useTemporal } from '../../support/temporal.js';
import {
  anOrder,
  failure,
  fetchedAgreement,
  fetchedPayment,
  nothingNew,
  only,
  refusalIn,
} from '../../support/workflows/provider.js';
import { startAgreement, untilAgreement, untilPayment, type Started } from '../../support/workflows/runs.js';
import type { WorkflowHandle } from '@temporalio/client';

const temporal = useTemporal();
const world = only({
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
});

async function anActiveAgreement(): Promise<Started<WorkflowHandle>> {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state }) => state === 'active');
  return handle;
}

const ask = (agreement: Started<WorkflowHandle>, uid: string, amount = 4200) =>
  agreement.executeUpdate(requestPayment, { args: [{ uid, order: anOrder(agreement.uid, { amount }) }] });

test('a repeated request starts one payment workflow and another agreement cannot use its uid', async () => {
  await temporal.run(world, async () => {
    const [one, other] = [await anActiveAgreement(), await anActiveAgreement()];
    const uid = `pay-${randomUUID()}`;
    expect(await ask(one, uid)).not.toHaveProperty('repeatOf');
    expect(await ask(one, uid)).toMatchObject({ repeatOf: 'uid' });
    expect(await one.query(getAgreement)).toMatchObject({ payments: [{ uid, amount: 4200 }] });
    const payment = temporal.client.workflow.getHandle(paymentWorkflowId(uid));
    await untilPayment(payment, ({ state }) => state === 'created');
    expect(await ask(other, uid).catch(refusalIn)).toBe('payment_uid_conflict');
    expect((await other.query(getAgreement)).payments).toEqual([]);
    await Promise.all([one, other, payment].map((handle) => handle.terminate()));
  });
});

test('a payment over the maximum is refused without an event in the history', async () => {
  await temporal.run(world, async () => {
    const agreement = await anActiveAgreement();
    const order = anOrder('agr-1', { amount: 25_001 });
    const asked = { uid: 'pay-1', order, at: new Date().toISOString() };
    expect(await agreement.query(judgePayment, asked)).toMatchObject({
      refusal: { code: 'amount_over_maximum', met: 25_001 },
    });
    expect(await ask(agreement, 'pay-1', 25_001).catch(refusalIn)).toBe('amount_over_maximum');
    const { events } = await agreement.fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
    await agreement.terminate();
  });
});

test.each(['is still searched', 'was not found'])(
  'a uid that only an event has named can be requested while it %s',
  async (search) => {
    const adoptPayment =
      search === 'was not found'
        ? () => Promise.reject(failure('nothing_new'))
        : () => Promise.reject(nothingNew('1h'));
    const findPayment = () => Promise.resolve(null);
    await temporal.run({ ...world, adoptPayment, findPayment }, async () => {
      const [one, other] = [await anActiveAgreement(), await anActiveAgreement()];
      const uid = `pay-${randomUUID()}`;
      const event = messageOf('a notification', paymentFact, aFact('failed', { authenticated: false }));
      expect(await deliver(temporal, recipientOf('payment', uid, 'other'), event)).toBe(true);
      const payment = temporal.client.workflow.getHandle(paymentWorkflowId(uid));
      if (search === 'was not found') await payment.result();
      expect(await ask(one, uid)).not.toHaveProperty('repeatOf');
      const view = await untilPayment(payment, ({ awaiting }) => awaiting.what === 'submission-outcome');
      expect(view).toMatchObject({ connectionId: 'acme', order: { amount: 4200 }, submissions: 0 });
      expect(await ask(other, uid).catch(refusalIn)).toBe('payment_uid_conflict');
      await Promise.all([one, other, payment].map((handle) => handle.terminate()));
    });
  },
);
