import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { notificationWorkflowId } from '../../workflows/notification/contract.js';
import { unmatchedCreditWorkflowId } from '../../workflows/unmatched-credit/contract.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { anAccount, credit } from '../support/float-road.js';
import {
  aFact,
  aRefund,
  asOwner,
  forget,
  late,
  refundedAndForgotten,
  settled,
  untilOver,
} from '../support/forgotten.js';
import { active, callsOf, onALine, onTheRoad } from '../support/on-the-road.js';
import { aPayment, anAgreement, type Road } from '../support/road.js';
import { onASweptRoad, sweepOnce } from '../support/sweeping.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_BUSINESS, anAbn } from '../support/workflows/provider.js';
import type { PaymentsApi } from '../../payments-api/client.js';

const temporal = useTemporal();

describe('a payment that Temporal has forgotten', () => {
  test('keeps refunds, requester and submissions through a late event, and refuses a refund of the full amount', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const { payment } = await refundedAndForgotten(temporal, road, connection);
      const { uid } = payment;
      const before = (await road.backend.payment(uid)).data;
      await late(temporal, { resource: 'payment', uid }, aFact('settled'), connection);
      await untilOver(temporal, paymentWorkflowId(uid));
      const after = (await road.backend.payment(uid)).data;
      expect(after).toMatchObject({ state: 'settled', refunded: 4000, submissions: 1, requested_by: 'test' });
      expect(after?.requested_at).toBe(before?.requested_at);
      await forget(temporal, paymentWorkflowId(uid));
      const full = await road.backend.refund(uid, aRefund(4200));
      expect(full).toMatchObject({ status: 422, problem: { code: 'refund_over_payment' } });
    });
  });

  test('is refunded, and a repeat gets the same answer', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const { payment, refund } = await refundedAndForgotten(temporal, road, connection);
      expect(await road.backend.refund(payment.uid, refund)).toMatchObject({ status: 202 });
      const next = aRefund(100);
      expect(await road.backend.refund(payment.uid, next)).toMatchObject({ status: 202 });
      await road.backend.untilRefund(next.uid, ({ state }) => state === 'processed');
      await road.backend.untilPayment(payment.uid, ({ refunded }) => refunded === 4100);
      expect(callsOf(road, 'create_refund', refund.uid)).toHaveLength(1);
    });
  });

  test('is retried and looked up', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = await active(road, connection);
      const payment = aPayment();
      road.sandbox.control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
      const failed = await road.backend.pay(agreement, payment, { wait: 20 });
      expect(failed.data).toMatchObject({ state: 'failed' });
      await forget(temporal, paymentWorkflowId(payment.uid));
      road.sandbox.control.scriptPayment(payment.uid, { simulate: 'auto_settle' });
      expect(await road.post(`/v1/payments/${payment.uid}/look-up`, {})).toMatchObject({ status: 202 });
      const path = `/v1/payments/${payment.uid}/retry`;
      expect(await road.post(path, {}, { 'idempotency-key': 'r-1' })).toMatchObject({ status: 202 });
      await road.backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
    });
  });

  test('does not move to the connection at whose address an event arrives', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const agreement = await active(road, connection);
      const { uid } = await settled(road, agreement);
      const other = `con-${randomUUID()}`;
      await road.consent(other);
      await forget(temporal, paymentWorkflowId(uid));
      const fact = aFact('failed', { authenticated: false, namedConnectionId: other });
      await late(temporal, { resource: 'payment', uid }, fact, other);
      await untilOver(temporal, paymentWorkflowId(uid));
      const { data } = await road.backend.payment(uid);
      expect(data).toMatchObject({ state: 'settled', agreement_uid: agreement, connection, amount: 4200 });
    });
  });
});

test('a settlement after the agreement and the payment are forgotten leaves both theirs', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const agreement = await active(road, connection);
    const payment = await settled(road, agreement);
    await road.backend.cancel(agreement, { reason: 'customer_requested' } as never, { key: 'c-1' });
    await road.backend.untilAgreement(agreement, ({ state }) => state === 'cancelled');
    const ids = [agreementWorkflowId(agreement), paymentWorkflowId(payment.uid)];
    await forget(temporal, ...ids);
    const before = (await road.backend.agreement(agreement)).data;
    await late(temporal, { resource: 'agreement', uid: agreement }, aFact('cancelled'), connection);
    await late(temporal, { resource: 'payment', uid: payment.uid }, aFact('settled'), connection);
    for (const id of ids) await untilOver(temporal, id);
    const { data } = await road.backend.agreement(agreement);
    const { state, requested_by, created_at, description } = before ?? {};
    expect(data).toMatchObject({ state, requested_by, created_at, description, adopted: false });
    const again = await road.backend.pay(agreement, aPayment());
    expect(again).toMatchObject({ status: 409, problem: { code: 'agreement_not_active' } });
    expect((await road.backend.pay(agreement, payment)).data).toMatchObject({ state: 'settled' });
  });
});

test('a forgotten refund keeps its state through a repeated event, and its forgotten payment counts it once', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { payment, refund } = await refundedAndForgotten(temporal, road, connection);
    const path = `/v1/refunds/${refund.uid}`;
    const { state_since, requested_at } = (await road.get(path)).body;
    const isSame = async () =>
      expect((await road.get(path)).body).toMatchObject({
        ...{ state: 'processed', requested_by: 'test', state_since, requested_at },
        refund_payment: { amount: 4000 },
      });
    await late(temporal, { resource: 'refund', uid: refund.uid }, aFact('processed'), connection);
    await untilOver(temporal, refundWorkflowId(refund.uid));
    await isSame();
    await forget(temporal, refundWorkflowId(refund.uid));
    // Without its end state, it reports again.
    const lost = { carried: null, carried_key_id: null, carried_version: null };
    await asOwner().updateTable('refunds').set(lost).where('uid', '=', refund.uid).execute();
    await late(temporal, { resource: 'refund', uid: refund.uid }, aFact('processed'), connection);
    await untilOver(temporal, refundWorkflowId(refund.uid));
    await untilOver(temporal, paymentWorkflowId(payment.uid));
    await isSame();
    const { data } = await road.backend.payment(payment.uid);
    expect(data).toMatchObject({ state: 'settled', refunded: 4000, requested_by: 'test' });
  });
});

test('a forgotten client whose registration failed refuses a change, and keeps its requester', async () => {
  // No such category: the provider refuses the client.
  const between = (real: PaymentsApi): PaymentsApi => ({
    ...real,
    createClient: (order, of) => real.createClient({ ...order, merchant_category_code: '1234' }, of),
  });
  const work = async ({ backend }: Road, connection: string) => {
    const legal_name = `Unwanted ${randomUUID()} Pty Ltd`;
    const australian_business_number = anAbn(legal_name);
    const uid = `cli-${randomUUID()}`;
    await backend.register({ ...A_BUSINESS, uid, connection, legal_name, australian_business_number });
    const before = await backend.untilClient(uid, ({ state }) => state === 'failed');
    const change = () => backend.changeClient(uid, { business_names: ['Wanted'] }, randomUUID());
    const refused = { status: 409, problem: { code: 'client_final' } };
    expect(await eventually(change, ({ problem }) => problem?.code === 'client_final')).toMatchObject(
      refused,
    );
    await forget(temporal, clientWorkflowId(uid));
    expect(await change()).toMatchObject(refused);
    await untilOver(temporal, clientWorkflowId(uid));
    const { state, requested_by, requested_at, failure } = before;
    const { data } = await backend.client(uid);
    expect(data).toMatchObject({ state, requested_by, requested_at, failure, changes: [] });
  };
  await onTheRoad(temporal, work, undefined, { between });
});

test('a resolved credit and an acknowledged notification stay so when the same event comes again', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const account = anAccount(swept);
    await sweepOnce(swept);
    road.sandbox.control.clearFaults();
    await credit(swept, account, 300);
    const cases = async () => {
      const { body } = await road.get('/v1/unmatched-credits?state=open&sort=-created');
      return (body['data'] as Record<string, string>[]).filter((one) => one['float_account'] === account.id);
    };
    const [{ uid = '' } = {}] = await eventually(cases, ({ length }) => length === 1);
    const path = `/v1/unmatched-credits/${uid}`;
    const resolved = await road.post(`${path}/resolution`, { decision: 'kept', reason: 'It is ours.' });
    expect(resolved).toMatchObject({ status: 200, body: { state: 'kept' } });
    const type = 'float_accounts.unmatched_credit.received';
    const detail = { creditor: { id: account.id }, amount: 300 };
    const again = aFact(type, { id: uid, detail });
    const odd = aFact('odd.event', { id: randomUUID() });
    const other = { resource: 'other' as const };
    await late(temporal, other, odd);
    const id = `odd.event/${odd.id}`;
    const notification = `/v1/notifications/${encodeURIComponent(id)}`;
    const acknowledged = await road.post(`${notification}/acknowledgement`, { reason: 'Read.' });
    expect(acknowledged).toMatchObject({ status: 200, body: { state: 'acknowledged' } });
    const ids = [unmatchedCreditWorkflowId(uid), notificationWorkflowId(id)];
    await forget(temporal, ...ids);
    for (const fact of [again, odd]) await late(temporal, other, fact);
    for (const workflowId of ids) await untilOver(temporal, workflowId);
    const { state, resolution } = resolved.body;
    expect((await road.get(path)).body).toMatchObject({ state, resolution, authenticated: true });
    expect((await road.get(notification)).body).toEqual(acknowledged.body);
  });
});

test('a batch and an onboarding that name a forgotten payment end with its outcome', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend } = road;
    const { uid: _, ...asked } = anAgreement(undefined, { connection });
    const uids = [`agr-${randomUUID()}`, `agr-${randomUUID()}`];
    const [going = '', over = ''] = uids;
    for (const uid of uids) await backend.create({ ...asked, uid });
    const priority = 'unattended' as const;
    const first = await settled(road, going, { priority });
    const second = await settled(road, over, { priority });
    await backend.cancel(over, { reason: 'customer_requested' } as never);
    await backend.untilAgreement(over, ({ state }) => state === 'cancelled');
    await forget(
      ...([temporal, paymentWorkflowId(first.uid), paymentWorkflowId(second.uid)] as const),
      agreementWorkflowId(over),
    );
    const batch = `b-${randomUUID()}`;
    const rows = [
      { ...first, priority, agreement_uid: going },
      { ...second, priority, agreement_uid: over },
    ];
    expect((await road.post('/v1/batches', { id: batch, kind: 'payments', rows })).status).toBe(202);
    const ended = await eventually(
      () => road.get(`/v1/batches/${batch}`),
      ({ body }) => body['state'] === 'done',
    );
    expect(ended.body).toMatchObject({ counts: { done: 2 } });

    const id = `onb-${randomUUID()}`;
    const { connection: __, ...agreement } = { ...asked, uid: going };
    const onboarding = { id, connection, agreement, payment: { ...first, priority } };
    expect(await backend.onboard(onboarding as never)).toMatchObject({ status: 202 });
    await backend.untilOnboarding(id, ({ state }) => state === 'done');
    for (const { uid } of [first, second]) expect(callsOf(road, 'create_payment', uid)).toHaveLength(1);
  });
});

test('while the records are away, commands and reads answer 503, and an event waits for them', async () => {
  await onALine(temporal, async (road, connection, line) => {
    const { payment } = await refundedAndForgotten(temporal, road, connection);
    const { uid } = payment;
    const path = `/v1/payments/${uid}`;
    const away = { status: 503, body: { code: 'records_unavailable' } };
    line.cut();
    const refund = aRefund(100);
    expect(await road.get(path)).toMatchObject(away);
    expect(await road.get(`${path}/timeline`)).toMatchObject(away);
    const keyed = () => ({ 'idempotency-key': randomUUID() });
    expect(await road.post(`${path}/refunds`, refund, keyed())).toMatchObject(away);
    expect(await road.post(`${path}/retry`, {}, keyed())).toMatchObject(away);
    expect(await road.post(`${path}/look-up`, {})).toMatchObject(away);
    await late(temporal, { resource: 'payment', uid }, aFact('settled'), connection);
    const run = temporal.client.workflow.getHandle(paymentWorkflowId(uid));
    const waiting = async () => (await run.describe()).raw.pendingActivities?.[0];
    await eventually(waiting, (activity) => activity?.activityType?.name === 'readRecord');
    expect((await run.describe()).status.name).toBe('RUNNING');
    line.mend();
    expect(await road.backend.refund(uid, refund)).toMatchObject({ status: 202 });
    await road.backend.untilRefund(refund.uid, ({ state }) => state === 'processed');
    const after = await road.backend.untilPayment(uid, ({ refunded }) => refunded === 4100);
    expect(after).toMatchObject({ state: 'settled', amount: 4200, submissions: 1, requested_by: 'test' });
    await untilOver(temporal, paymentWorkflowId(uid));
  });
});
