import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { asOwner, forget, settled, terminateAndForget, untilOver } from '../support/forgotten.js';
import { active, callsOf, overHttpWithProxy } from '../support/over-http.js';
import { aPayment, anAgreement } from '../support/http-stack.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal();
const AWAY = { status: 503, problem: { code: 'records_unavailable' } };

const othersOf = (uid: string) =>
  eventually(
    () => asOwner().selectFrom('conflicts').selectAll().where('uid', '=', uid).execute(),
    ([other]) => other?.attention.includes('conflict') === true,
  );

test('while the records are away, the uid of a forgotten payment is accepted again, is not paid twice, and both are flagged', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const { uid } = await settled(http, await active(http, connection));
    await forget(temporal, paymentWorkflowId(uid));
    const agreement = await active(http, connection);
    const again = aPayment(uid, { amount: 77 });
    const conflict = { status: 422, problem: { code: 'idempotency_conflict' } };
    expect(await http.backend.pay(agreement, again)).toMatchObject(conflict);
    proxy.cut();
    expect(await http.backend.pay(agreement, again)).toMatchObject({ status: 202 });
    proxy.mend();
    const [other] = await othersOf(uid);
    expect(other).toMatchObject({ resource: 'payment', own: { amount: 77, agreement_uid: agreement } });
    expect((await http.backend.payment(uid)).data).toMatchObject({
      ...{ state: 'settled', amount: 4200, attention: [{ code: 'conflict' }] },
    });
    const { payments } = http.sandbox.control.state();
    expect(payments.filter((one) => one.uid === uid)).toMatchObject([{ amount: 4200 }]);
    await terminateAndForget(temporal, paymentWorkflowId(uid));
  });
});

test('an agreement that was created while the records were away takes payments once it was checked', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const { backend } = http;
    const forgotten = anAgreement(undefined, { connection });
    await backend.create(forgotten);
    await backend.cancel(forgotten.uid, { reason: 'customer_requested' } as never);
    await backend.untilAgreement(forgotten.uid, ({ state }) => state === 'cancelled');
    await forget(temporal, agreementWorkflowId(forgotten.uid));
    proxy.cut();
    const agreement = await active(http, connection);
    const payment = aPayment();
    expect(await backend.pay(agreement, payment)).toMatchObject(AWAY);
    expect(await backend.create({ ...forgotten, description: 'Another' })).toMatchObject({ status: 202 });
    proxy.mend();
    const pay = () => backend.pay(agreement, payment);
    expect(await eventually(pay, ({ status }) => status !== 503)).toMatchObject({ status: 202 });
    await backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
    await othersOf(forgotten.uid);
    const rows = asOwner().selectFrom('agreements').select(['state', 'attention']);
    const [first] = await rows.where('uid', '=', forgotten.uid).execute();
    expect(first).toMatchObject({ state: 'cancelled', attention: ['conflict'] });
  });
});

test('an agreement that has lost its state takes no payment without the records, and none twice', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const { backend } = http;
    const agreement = await active(http, connection);
    const payment = await settled(http, agreement);
    await untilOver(temporal, paymentWorkflowId(payment.uid));
    await forget(temporal, paymentWorkflowId(payment.uid));
    await terminateAndForget(temporal, agreementWorkflowId(agreement));
    const pay = (one = payment) => backend.pay(agreement, one);
    // Its run reads the row, and looks it up at the provider.
    await eventually(
      () => pay(aPayment()),
      ({ status }) => status === 202,
    );
    proxy.cut();
    for (const one of [payment, aPayment(`pay-${randomUUID()}`)]) expect(await pay(one)).toMatchObject(AWAY);
    proxy.mend();
    expect(await pay()).toMatchObject({ status: 202, data: { state: 'settled' } });
    expect(await pay({ ...payment, amount: 1 })).toMatchObject({ problem: { code: 'idempotency_conflict' } });
    expect(callsOf(http, 'create_payment', payment.uid)).toHaveLength(1);
  });
});
