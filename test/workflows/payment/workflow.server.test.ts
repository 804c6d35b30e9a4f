import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectionRestored } from '../../../workflows/entity/contract.js';
import {
  PAYMENT_WORKFLOW,
  agreementAnswers,
  paymentFact,
  paymentWorkflowId,
} from '../../../workflows/payment/contract.js';
import { aFact } from '../../support/facts.js';
import { useTemporal } from '../../support/temporal.js';
import { ACTIVE_AT_ONCE, failure, fetchedPayment, only } from '../../support/workflows/provider.js';
import { startPayment, startPaymentUnderAgreement, untilPayment } from '../../support/workflows/starting.js';
import type { Activities } from '../../../activities/index.js';
import type { Fact } from '../../../domain/fact.js';
import type { payment } from '../../../workflows/payment/workflow.js';

const temporal = useTemporal();

test('a payment waits for consent, is submitted once, and ends settled once the provider says so', async () => {
  let isAllowed = false;
  const submitPayment: Activities['submitPayment'] = ({ uid }) =>
    isAllowed ? Promise.resolve(fetchedPayment(uid, 'created')) : Promise.reject(failure('forbidden'));
  await temporal.run(only({ ...ACTIVE_AT_ONCE, submitPayment }), async () => {
    const handle = await startPaymentUnderAgreement(temporal);
    const waits = await untilPayment(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
    expect(waits.attention).toMatchObject([{ code: 'forbidden' }]);
    isAllowed = true;
    await handle.signal(connectionRestored);
    await untilPayment(handle, ({ awaiting }) => awaiting.what === 'settlement');
    await handle.signal(paymentFact, aFact('settled'));
    const end = { state: 'settled', submissions: 1, carried: { state: { uid: handle.uid } } };
    expect(await handle.result()).toMatchObject(end);
  });
});

test('a payment of which only an event is known is looked for before the event is believed', async () => {
  const adoptPayment: Activities['adoptPayment'] = ({ uid }) =>
    Promise.resolve({
      owner: 'acme',
      ...fetchedPayment(uid, 'settled', { agreement_uid: 'agr-9', amount: 70 }),
    });
  await temporal.run(only({ adoptPayment }), async () => {
    const uid = `pay-${randomUUID()}`;
    const handle = await temporal.client.workflow.signalWithStart<typeof payment, [Fact]>(PAYMENT_WORKFLOW, {
      taskQueue: temporal.taskQueue,
      workflowId: paymentWorkflowId(uid),
      args: [{ uid }],
      signal: paymentFact,
      signalArgs: [aFact('failed')],
    });
    expect(await handle.result()).toMatchObject({ state: 'settled', order: { amount: 70 }, submissions: 0 });
  });
});

test('a submission that no worker has begun with is taken back when its agreement allows it no more', async () => {
  const unpolled = `test-${randomUUID()}`;
  await temporal.run(
    {},
    async () => {
      const handle = await startPayment(temporal);
      await untilPayment(handle, ({ submissions }) => submissions === 1);
      const refusal = { code: 'agreement_not_active', detail: 'Expected an active agreement.' };
      await handle.signal(agreementAnswers, { refusal });
      expect(await handle.result()).toMatchObject({
        state: 'failed',
        submissions: 0,
        failure: { code: 'agreement_not_active' },
      });
      const { events } = await handle.fetchHistory();
      const types = (events ?? []).map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled);
      expect(types.filter((scheduled) => scheduled !== null && scheduled !== undefined)).toHaveLength(1);
    },
    unpolled,
  );
});
