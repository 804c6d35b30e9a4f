// A payment is taken once, whatever answers and webhooks are lost, repeated or late.
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { aPayment, anAgreement, type Road } from '../support/road.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { agreementsAt, callsOf, onTheRoad, paymentsAt } from '../support/on-the-road.js';

const temporal = useTemporal();

const isAcceptedThere = (road: Road, uid: string) =>
  eventually(
    () => agreementsAt(road, uid),
    ([there]) => there?.state === 'active',
  );

test('an agreement is created, paid, suspended, reactivated and cancelled, with each payment taken once', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const agreement = anAgreement(undefined, { connection });
    const { uid } = agreement;
    expect(await backend.create(agreement)).toMatchObject({ status: 202, data: { uid, state: 'active' } });
    const first = aPayment();
    const paid = await backend.pay(uid, first, { wait: 20 });
    expect(paid).toMatchObject({ status: 202, data: { uid: first.uid, state: 'settled' } });
    expect(paymentsAt(road, first.uid)).toMatchObject([{ state: 'settled', amount: 4200 }]);

    sandbox.control.actAsPayer(uid, 'suspend');
    await backend.untilAgreement(uid, ({ state }) => state === 'suspended');
    const refused = await backend.pay(uid, aPayment());
    expect(refused).toMatchObject({ status: 409, problem: { code: 'agreement_not_active' } });
    sandbox.control.actAsPayer(uid, 'reactivate');
    await backend.untilAgreement(uid, ({ state }) => state === 'active');

    const second = aPayment();
    const answers = await Promise.all(Array.from({ length: 5 }, () => backend.pay(uid, second)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await backend.untilPayment(second.uid, ({ state }) => state === 'settled');
    expect(callsOf(road, 'create_payment', second.uid)).toHaveLength(1);
    expect(await backend.pay(uid, { ...second, amount: 4201 })).toMatchObject({ status: 422 });

    sandbox.control.actAsPayer(uid, 'cancel');
    const ended = await backend.untilAgreement(uid, ({ state }) => state === 'cancelled');
    expect(ended).toMatchObject({ state_caused_by: 'debtor', payments: { count: 2 } });
    const facts = await backend.wholeTimeline(uid);
    const events = facts.filter(({ type }) => type !== 'observed');
    expect(events.map(({ type }) => type)).toEqual(['activated', 'suspended', 'reactivated', 'cancelled']);
  });
});

test('a lost submission is looked up and sent again only if the provider never received it', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    sandbox.control.addFault({ on: 'create_agreement', do: 'cut_after_commit', times: 1 });
    const agreement = anAgreement(undefined, { connection });
    const { uid } = agreement;
    await backend.create(agreement);
    const found = await backend.untilAgreement(
      uid,
      ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing',
    );
    expect(found).toMatchObject({ adopted: false, attention: [] });
    expect(agreementsAt(road, uid)).toHaveLength(1);
    expect(callsOf(road, 'create_agreement', uid)).toMatchObject([{ status: 'cut' }]);

    sandbox.control.addFault({ on: 'webhook', do: 'lose' });
    const lost = [
      ['cut_after_commit', 1],
      ['error_500_after_commit', 1],
      ['cut_before_commit', 2],
    ] as const;
    for (const [fault, submissions] of lost) {
      const payment = aPayment();
      sandbox.control.addFault({ on: 'create_payment', do: fault, times: 1 });
      await backend.pay(uid, payment);
      await backend.untilPayment(payment.uid, ({ awaiting }) => awaiting.what === 'submission-outcome');
      await skipTime(temporal.client, paymentWorkflowId(payment.uid));
      expect(await backend.untilPayment(payment.uid, ({ state }) => state === 'settled')).toMatchObject({
        submissions,
      });
      expect(paymentsAt(road, payment.uid)).toMatchObject([{ state: 'settled' }]);
    }
  });
});

test('repeated, reordered or lost webhooks lead to the same state', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const agreements = ['repeat', 'reorder'].map(() => anAgreement(undefined, { connection }));
    const [repeated, reordered, unheard] = [...agreements, anAgreement(undefined, { connection })];
    if (repeated === undefined || reordered === undefined || unheard === undefined)
      throw new Error('expected three agreements');
    const faults = [
      ['repeat', repeated.uid],
      ['reorder', reordered.uid],
      ['lose', unheard.uid],
    ] as const;
    for (const [fault, uid] of faults)
      sandbox.control.addFault({ on: 'webhook', do: fault, resource_uid: uid, copies: 3 });
    for (const agreement of [repeated, reordered, unheard]) {
      await backend.create(agreement, 0);
      await isAcceptedThere(road, agreement.uid);
    }
    for (const { uid } of agreements)
      for (const turn of ['suspend', 'reactivate', 'suspend'] as const) sandbox.control.actAsPayer(uid, turn);
    await sandbox.control.flushWebhooks();
    for (const { uid } of agreements)
      expect(await backend.untilAgreement(uid, ({ state }) => state === 'suspended')).toMatchObject({
        attention: [],
      });

    await skipTime(temporal.client, agreementWorkflowId(unheard.uid));
    await backend.untilAgreement(unheard.uid, ({ state }) => state === 'active');
    const facts = await backend.wholeTimeline(unheard.uid);
    expect(facts).toContainEqual(expect.objectContaining({ type: 'activated', source: 'history' }));
  });
});
