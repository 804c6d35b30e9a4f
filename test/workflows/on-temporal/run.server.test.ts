import { expect, test } from 'vitest';
import { getAgreement, requestPayment, agreementFact } from '../../../workflows/agreement/contract.js';
import { getPayment, paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { aFact } from '../../support/facts.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { anOrder, fetchedAgreement, fetchedPayment, only } from '../../support/workflows/provider.js';
import { startAgreement } from '../../support/workflows/runs.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { PaymentSnapshot } from '../../../domain/payment/lifecycle.js';

const temporal = useTemporal();

test('a cancel request abandons neither an agreement nor a payment in flight', async () => {
  const uid = 'agr-cancelled-in-the-ui';
  const pay = 'pay-cancelled-in-the-ui';
  const submission = unanswered<Fetched<PaymentSnapshot>>();
  const activities = only({
    createAgreement: () => Promise.resolve(fetchedAgreement(uid, 'created')),
    submitPayment: () => submission.answer,
  });
  await temporal.run(activities, async () => {
    const agreement = await startAgreement(temporal, { uid });
    await agreement.signal(agreementFact, aFact('activated'));
    const order = anOrder(uid);
    await agreement.executeUpdate(requestPayment, { args: [{ uid: pay, order }] });
    const payment = temporal.client.workflow.getHandle(paymentWorkflowId(pay));
    await Promise.all([agreement.cancel(), payment.cancel()]);
    const flagged = [{ code: 'cancel_requested' }];
    expect(
      await eventually(
        () => agreement.query(getAgreement),
        ({ attention }) => attention.length > 0,
      ),
    ).toMatchObject({ state: 'active', attention: flagged });
    await agreement.executeUpdate(requestPayment, { args: [{ uid: `${pay}-2`, order }] });
    expect(
      await eventually(
        () => payment.query(getPayment),
        ({ attention }) => attention.length > 0,
      ),
    ).toMatchObject({ state: 'requested', attention: flagged });
    submission.open(fetchedPayment(pay, 'settled'));
    expect(await payment.result()).toMatchObject({ state: 'settled' });
    await agreement.signal(agreementFact, aFact('cancelled'));
    expect(await agreement.result()).toMatchObject({ state: 'cancelled' });
  });
});
