import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { aPayment, anAgreement } from '../support/road.js';
import { eventually, fastForward, skipTime, useTemporal } from '../support/temporal.js';
import { active, agreementsAt, callsOf, onTheRoad, paymentsAt } from '../support/on-the-road.js';

const temporal = useTemporal();
const A_DAY = 86_400;

describe('the road', () => {
  test('goes from POST to a settled payment', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = anAgreement(undefined, { connection });
      const started = await road.post('/v1/agreements?wait=20', agreement);
      expect(started).toMatchObject({ status: 202, body: { uid: agreement.uid, state: 'active' } });
      const payment = aPayment();
      const paid = await road.post(`/v1/agreements/${agreement.uid}/payments?wait=20`, payment);
      expect(paid).toMatchObject({ status: 202, body: { uid: payment.uid, state: 'settled' } });
      expect(paymentsAt(road, payment.uid)).toMatchObject([{ state: 'settled', amount: 4200 }]);
    });
  });

  test('carries what the payer does in their bank’s app', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const path = `/v1/agreements/${uid}`;
      road.sandbox.control.actAsPayer(uid, 'suspend');
      await road.until(path, ({ state }) => state === 'suspended');
      expect(await road.post(`${path}/payments`, aPayment())).toMatchObject({
        status: 409,
        body: { code: 'agreement_not_active' },
      });
      road.sandbox.control.actAsPayer(uid, 'reactivate');
      await road.until(path, ({ state }) => state === 'active');
      road.sandbox.control.actAsPayer(uid, 'cancel');
      expect(await road.until(path, ({ state }) => state === 'cancelled')).toMatchObject({
        state_caused_by: 'debtor',
      });
      const { body } = await road.get(`${path}/timeline`);
      expect(JSON.stringify(body)).toMatch(/activated.*suspended.*reactivated.*cancelled/);
    });
  });

  test('does not pay twice for one request, however often it is sent', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const payment = aPayment();
      const path = `/v1/agreements/${uid}/payments`;
      const answers = await Promise.all(Array.from({ length: 5 }, () => road.post(path, payment)));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
      await road.until(`/v1/payments/${payment.uid}`, ({ state }) => state === 'settled');
      expect(callsOf(road, 'create_payment', payment.uid)).toHaveLength(1);
      expect(await road.post(path, { ...payment, amount: 4201 })).toMatchObject({ status: 422 });
    });
  });

  test('pays once for one Idempotency-Key', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const path = `/v1/agreements/${await active(road, connection)}/payments`;
      const body = { ...aPayment(), uid: undefined };
      const key = { 'idempotency-key': randomUUID() };
      const [one, again] = [await road.post(path, body, key), await road.post(path, body, key)];
      expect(again.body['uid']).toBe(one.body['uid']);
      expect(await road.post(path, { ...body, amount: 1 }, key)).toMatchObject({ status: 422 });
      expect(road.sandbox.control.state().payments).toHaveLength(1);
    });
  });

  test('a creation cut after commit is found and not sent again', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      road.sandbox.control.addFault({ on: 'create_agreement', do: 'cut_after_commit', times: 1 });
      const agreement = anAgreement(undefined, { connection });
      await road.post('/v1/agreements?wait=20', agreement);
      const path = `/v1/agreements/${agreement.uid}`;
      const isSettled = ({ state, awaiting }: Record<string, unknown>): boolean =>
        state === 'active' && JSON.stringify(awaiting).includes('nothing');
      expect(await road.until(path, isSettled)).toMatchObject({ adopted: false, attention: [] });
      expect(agreementsAt(road, agreement.uid)).toHaveLength(1);
      expect(callsOf(road, 'create_agreement', agreement.uid)).toMatchObject([{ status: 'cut' }]);
    });
  });

  test.each(['cut_after_commit', 'error_500_after_commit'] as const)(
    'a payment whose answer is lost (%s) is found and not sent again',
    async (fault) => {
      await onTheRoad(temporal, async (road, connection) => {
        const uid = await active(road, connection);
        const payment = aPayment();
        road.sandbox.control.addFault({ on: 'create_payment', do: fault, times: 1 });
        road.sandbox.control.addFault({ on: 'webhook', do: 'lose', resource_uid: uid });
        await road.post(`/v1/agreements/${uid}/payments`, payment);
        await road.until(`/v1/payments/${payment.uid}`, ({ awaiting }) =>
          JSON.stringify(awaiting).includes('submission-outcome'),
        );
        await skipTime(temporal.client, paymentWorkflowId(payment.uid));
        await road.until(`/v1/payments/${payment.uid}`, ({ state }) => state === 'settled');
        expect(callsOf(road, 'create_payment', payment.uid)).toHaveLength(1);
        expect(paymentsAt(road, payment.uid)).toMatchObject([{ state: 'settled' }]);
      });
    },
  );

  test('a payment that never reached the provider is sent again, under the same uid', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const uid = await active(road, connection);
      const payment = aPayment();
      road.sandbox.control.addFault({ on: 'create_payment', do: 'cut_before_commit', times: 1 });
      await road.post(`/v1/agreements/${uid}/payments`, payment);
      await road.until(`/v1/payments/${payment.uid}`, ({ awaiting }) =>
        JSON.stringify(awaiting).includes('submission-outcome'),
      );
      await skipTime(temporal.client, paymentWorkflowId(payment.uid));
      await road.until(`/v1/payments/${payment.uid}`, ({ state }) => state === 'settled');
      expect(paymentsAt(road, payment.uid)).toMatchObject([{ state: 'settled' }]);
    });
  });

  test.each(['repeat', 'reorder'] as const)('comes to the same end when webhooks %s', async (fault) => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = anAgreement(undefined, { connection });
      road.sandbox.control.addFault({ on: 'webhook', do: fault, resource_uid: agreement.uid, copies: 3 });
      await road.post('/v1/agreements', agreement);
      await eventually(
        () => Promise.resolve(agreementsAt(road, agreement.uid)),
        ([there]) => there?.state === 'active',
      );
      road.sandbox.control.actAsPayer(agreement.uid, 'suspend');
      road.sandbox.control.actAsPayer(agreement.uid, 'reactivate');
      road.sandbox.control.actAsPayer(agreement.uid, 'suspend');
      await road.sandbox.control.flushWebhooks();
      const path = `/v1/agreements/${agreement.uid}`;
      expect(await road.until(path, ({ state }) => state === 'suspended')).toMatchObject({ attention: [] });
    });
  });

  test('learns by asking what no webhook told', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = anAgreement(undefined, { connection });
      road.sandbox.control.addFault({ on: 'webhook', do: 'lose', resource_uid: agreement.uid });
      await road.post('/v1/agreements', agreement);
      await eventually(
        () => Promise.resolve(agreementsAt(road, agreement.uid)),
        ([there]) => there?.state === 'active',
      );
      await skipTime(temporal.client, agreementWorkflowId(agreement.uid));
      await road.until(`/v1/agreements/${agreement.uid}`, ({ state }) => state === 'active');
      const { body } = await road.get(`/v1/agreements/${agreement.uid}/timeline`);
      expect(JSON.stringify(body)).toContain('"source":"history"');
    });
  });

  test('an agreement that the payer ignores is expired by the provider only', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = anAgreement(undefined, { connection });
      road.sandbox.control.scriptPayer(agreement.uid, { simulate: 'ignore' });
      await road.post('/v1/agreements', agreement);
      const path = `/v1/agreements/${agreement.uid}`;
      await road.until(path, ({ awaiting }) => JSON.stringify(awaiting).includes('payer-decision'));
      await fastForward(temporal.client, agreementWorkflowId(agreement.uid), 5 * A_DAY + 600);
      const late = await road.until(path, ({ attention }) => JSON.stringify(attention).includes('overdue'));
      expect(late['state']).toBe('created');
      await road.sandbox.control.advance(5 * A_DAY);
      await road.until(path, ({ state }) => state === 'expired');
    });
  });
});
