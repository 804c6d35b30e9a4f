import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { aRefund } from '../support/forgotten.js';
import { aPayment, anAgreement } from '../support/http-stack.js';
import { skipTime, useTemporal } from '../support/temporal.js';
import { active, callsOf, overHttp } from '../support/over-http.js';

const temporal = useTemporal();

test('partial refunds are each sent once and never exceed the payment', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const agreement = await active(http, connection);
    const payment = aPayment();
    expect((await backend.pay(agreement, payment, { wait: 20 })).data).toMatchObject({ state: 'settled' });

    const first = aRefund(4000);
    const answers = await Promise.all(Array.from({ length: 3 }, () => backend.refund(payment.uid, first)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await backend.untilRefund(first.uid, ({ state }) => state === 'processed')).toMatchObject({
      original_payment_uid: payment.uid,
      submissions: 1,
      failure: null,
    });
    expect(callsOf(http, 'create_refund', first.uid)).toHaveLength(1);
    await backend.untilPayment(payment.uid, ({ refunded }) => refunded === 4000);
    const over = await backend.refund(payment.uid, aRefund(201));
    expect(over).toMatchObject({ status: 422, problem: { code: 'refund_over_payment' } });

    sandbox.control.addFault({ on: 'create_refund', do: 'cut_after_commit', times: 1 });
    sandbox.control.addFault({ on: 'webhook', do: 'lose' });
    const second = aRefund(200);
    await backend.refund(payment.uid, second);
    await backend.untilRefund(second.uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
    await skipTime(temporal.client, refundWorkflowId(second.uid));
    await backend.untilRefund(second.uid, ({ state }) => state === 'processed');
    expect(callsOf(http, 'create_refund', second.uid)).toMatchObject([{ status: 'cut' }]);
    await backend.untilPayment(payment.uid, ({ refunded }) => refunded === 4200);
    const { data } = await backend.refunds(payment.uid);
    expect(data).toMatchObject([
      { uid: first.uid, amount: 4000, outcome: 'processed' },
      { uid: second.uid, amount: 200, outcome: 'processed' },
    ]);
  });
});

test('a refund paid under another agreement is processed, and its payout payment settles', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend } = http;
    const agreement = await active(http, connection);
    const payment = aPayment();
    expect((await backend.pay(agreement, payment, { wait: 20 })).data).toMatchObject({ state: 'settled' });
    const { creditor, ...payout } = anAgreement(undefined, { connection });
    const agreement_uid = payout.uid;
    expect((await backend.create(payout)).data).toMatchObject({ state: 'active' });
    const [uid, paidBy] = [`ref-${randomUUID()}`, `pay-${randomUUID()}`];
    const refund_payment = {
      type: 'pay_to_payment' as const,
      agreement_uid,
      uid: paidBy,
      amount: 4200,
      description: 'REFUND all',
    };
    await backend.refund(payment.uid, { uid, refund_payment });
    expect(await backend.untilRefund(uid, ({ state }) => state === 'processed')).toMatchObject({
      refund_payment,
    });
    expect(await backend.untilPayment(paidBy, ({ state }) => state === 'settled')).toMatchObject({
      agreement_uid,
      amount: 4200,
      submissions: 0,
    });
    await backend.untilPayment(payment.uid, ({ refunded }) => refunded === 4200);
    expect((await backend.payment(paidBy)).data).toMatchObject({ refunded: 0 });
  });
});
