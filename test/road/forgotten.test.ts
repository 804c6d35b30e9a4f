// What Temporal’s retention has deleted continues from its record: nothing is sent twice, moved or lost.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { notificationWorkflowId } from '../../workflows/notification/contract.js';
import { unmatchedCreditWorkflowId } from '../../workflows/unmatched-credit/contract.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { clientWorkflowId } from '../../workflows/client/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { refundWorkflowId } from '../../workflows/refund/contract.js';
import { anAccount, credit } from '../support/float-accounts.js';
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
import { active, callsOf, overHttpWithProxy, overHttp } from '../support/over-http.js';
import { aPayment, anAgreement, type HttpStack } from '../support/http-stack.js';
import { withSweptConnection, sweepOnce } from '../support/swept-connection.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { A_BUSINESS, anAbn } from '../support/workflows/provider.js';
import type { PaymentsApi } from '../../payments-api/client.js';

const temporal = useTemporal();

test('a forgotten payment and its refund keep their records through late events and an outage of the records, and accept refunds up to the amount', async () => {
  await overHttpWithProxy(temporal, async (http, connection, proxy) => {
    const made = await refundedAndForgotten(temporal, http, connection);
    const { payment, refund } = made;
    await repeatedEventOfRefund(http, connection, made);
    const { uid } = payment;
    const before = (await http.backend.payment(uid)).data;
    expect(before).toMatchObject({ state: 'settled', refunded: 4000, requested_by: 'test' });
    await forget(temporal, paymentWorkflowId(uid));
    proxy.cut();
    const next = aRefund(100);
    await answersUnavailable(http, uid, next);
    await late(temporal, { resource: 'payment', uid }, aFact('settled'), connection);
    const run = temporal.client.workflow.getHandle(paymentWorkflowId(uid));
    const waiting = async () => (await run.describe()).raw.pendingActivities?.[0];
    await eventually(waiting, (activity) => activity?.activityType?.name === 'readRecord');
    expect((await run.describe()).status.name).toBe('RUNNING');
    proxy.mend();
    expect(await http.backend.refund(uid, next)).toMatchObject({ status: 202 });
    await http.backend.untilRefund(next.uid, ({ state }) => state === 'processed');
    const after = await http.backend.untilPayment(uid, ({ refunded }) => refunded === 4100);
    expect(after).toMatchObject({ state: 'settled', amount: 4200, submissions: 1, requested_by: 'test' });
    expect(after.requested_at).toBe(before?.requested_at);
    await untilOver(temporal, paymentWorkflowId(uid));

    await forget(temporal, paymentWorkflowId(uid), refundWorkflowId(refund.uid));
    const full = await http.backend.refund(uid, aRefund(4200));
    expect(full).toMatchObject({ status: 422, problem: { code: 'refund_over_payment' } });
    expect(await http.backend.refund(uid, refund)).toMatchObject({ status: 202 });
    const last = aRefund(50);
    expect(await http.backend.refund(uid, last)).toMatchObject({ status: 202 });
    await http.backend.untilRefund(last.uid, ({ state }) => state === 'processed');
    await http.backend.untilPayment(uid, ({ refunded }) => refunded === 4150);
    expect(callsOf(http, 'create_refund', refund.uid)).toHaveLength(1);
  });
});

type RefundedPayment = Awaited<ReturnType<typeof refundedAndForgotten>>;

/** The refund keeps its state, also when its record has lost it, and its payment counts it once. */
async function repeatedEventOfRefund(
  http: HttpStack,
  connection: string,
  { payment, refund }: RefundedPayment,
): Promise<void> {
  const path = `/v1/refunds/${refund.uid}`;
  const { state_since, requested_at } = (await http.get(path)).body;
  const isSame = async () =>
    expect((await http.get(path)).body).toMatchObject({
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
}

async function answersUnavailable(
  http: HttpStack,
  uid: string,
  refund: ReturnType<typeof aRefund>,
): Promise<void> {
  const path = `/v1/payments/${uid}`;
  const away = { status: 503, body: { code: 'records_unavailable' } };
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  expect(await http.get(path)).toMatchObject(away);
  expect(await http.get(`${path}/timeline`)).toMatchObject(away);
  expect(await http.post(`${path}/refunds`, refund, keyed())).toMatchObject(away);
  expect(await http.post(`${path}/retry`, {}, keyed())).toMatchObject(away);
  expect(await http.post(`${path}/look-up`, {})).toMatchObject(away);
}

test('forgotten payments of open and cancelled agreements keep their data through late events, and batches, onboardings and retries continue with them', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend } = http;
    const { uid: _, ...order } = anAgreement(undefined, { connection });
    const [open, cancelled] = [await active(http, connection, order), await active(http, connection)];
    const batched = await active(http, connection);
    const priority = 'unattended' as const;
    const first = await settled(http, open, { priority });
    const second = await settled(http, batched, { priority });
    const [kept, delayed] = [await settled(http, open), await settled(http, cancelled)];
    const failed = await failedPayment(http, open);
    for (const uid of [cancelled, batched]) {
      await backend.cancel(uid, { reason: 'customer_requested' } as never, { key: `c-${uid}` });
      await backend.untilAgreement(uid, ({ state }) => state === 'cancelled');
    }
    await forget(
      ...([temporal, agreementWorkflowId(cancelled), agreementWorkflowId(batched)] as const),
      ...[first, second, kept, delayed, failed].map(({ uid }) => paymentWorkflowId(uid)),
    );
    await eventAtOtherConnection(http, connection, open, kept.uid);
    await lateEventsAfterCancellation(http, connection, cancelled, delayed);
    await retriedAndLookedUp(http, failed.uid);

    const batch = `b-${randomUUID()}`;
    const rows = [
      { ...first, priority, agreement_uid: open },
      { ...second, priority, agreement_uid: batched },
    ];
    expect((await http.post('/v1/batches', { id: batch, kind: 'payments', rows })).status).toBe(202);
    const ended = await eventually(
      () => http.get(`/v1/batches/${batch}`),
      ({ body }) => body['state'] === 'done',
    );
    expect(ended.body).toMatchObject({ counts: { done: 2 } });
    const id = `onb-${randomUUID()}`;
    const { connection: __, ...agreement } = { ...order, uid: open };
    const onboarding = { id, connection, agreement, payment: { ...first, priority } };
    expect(await backend.onboard(onboarding as never)).toMatchObject({ status: 202 });
    await backend.untilOnboarding(id, ({ state }) => state === 'done');
    for (const { uid } of [first, second]) expect(callsOf(http, 'create_payment', uid)).toHaveLength(1);
  });
});

async function failedPayment(http: HttpStack, agreement: string): Promise<ReturnType<typeof aPayment>> {
  const payment = aPayment();
  http.sandbox.control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
  const failed = await http.backend.pay(agreement, payment, { wait: 20 });
  expect(failed.data).toMatchObject({ state: 'failed' });
  return payment;
}

async function retriedAndLookedUp(http: HttpStack, uid: string): Promise<void> {
  http.sandbox.control.scriptPayment(uid, { simulate: 'auto_settle' });
  expect(await http.post(`/v1/payments/${uid}/look-up`, {})).toMatchObject({ status: 202 });
  const retry = await http.post(`/v1/payments/${uid}/retry`, {}, { 'idempotency-key': 'r-1' });
  expect(retry).toMatchObject({ status: 202 });
  await http.backend.untilPayment(uid, ({ state }) => state === 'settled');
}

async function eventAtOtherConnection(
  http: HttpStack,
  connection: string,
  agreement: string,
  uid: string,
): Promise<void> {
  const other = `con-${randomUUID()}`;
  await http.consent(other);
  const fact = aFact('failed', { authenticated: false, namedConnectionId: other });
  await late(temporal, { resource: 'payment', uid }, fact, other);
  await untilOver(temporal, paymentWorkflowId(uid));
  const { data } = await http.backend.payment(uid);
  expect(data).toMatchObject({ state: 'settled', agreement_uid: agreement, connection, amount: 4200 });
}

async function lateEventsAfterCancellation(
  http: HttpStack,
  connection: string,
  agreement: string,
  payment: ReturnType<typeof aPayment>,
): Promise<void> {
  const before = (await http.backend.agreement(agreement)).data;
  await late(temporal, { resource: 'agreement', uid: agreement }, aFact('cancelled'), connection);
  await late(temporal, { resource: 'payment', uid: payment.uid }, aFact('settled'), connection);
  await untilOver(temporal, agreementWorkflowId(agreement));
  await untilOver(temporal, paymentWorkflowId(payment.uid));
  const { data } = await http.backend.agreement(agreement);
  const { state, requested_by, created_at, description } = before ?? {};
  expect(data).toMatchObject({ state, requested_by, created_at, description, adopted: false });
  const again = await http.backend.pay(agreement, aPayment());
  expect(again).toMatchObject({ status: 409, problem: { code: 'agreement_not_active' } });
  expect((await http.backend.pay(agreement, payment)).data).toMatchObject({ state: 'settled' });
}

test('a forgotten client whose registration failed refuses a change, and keeps its requester', async () => {
  // No such category: the provider refuses the client.
  const between = (real: PaymentsApi): PaymentsApi => ({
    ...real,
    createClient: (order, of) => real.createClient({ ...order, merchant_category_code: '1234' }, of),
  });
  const work = async ({ backend }: HttpStack, connection: string) => {
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
  await overHttp(temporal, work, undefined, { between });
});

test('a resolved credit and an acknowledged notification stay so when the same event comes again', async () => {
  await withSweptConnection(temporal, async (swept) => {
    const { http } = swept;
    const account = anAccount(swept);
    await sweepOnce(swept);
    http.sandbox.control.clearFaults();
    await credit(swept, account, 300);
    const cases = async () => {
      const { body } = await http.get('/v1/unmatched-credits?state=open&sort=-created');
      return (body['data'] as Record<string, string>[]).filter((one) => one['float_account'] === account.id);
    };
    const [{ uid = '' } = {}] = await eventually(cases, ({ length }) => length === 1);
    const path = `/v1/unmatched-credits/${uid}`;
    const resolved = await http.post(`${path}/resolution`, { decision: 'kept', reason: 'It is ours.' });
    expect(resolved).toMatchObject({ status: 200, body: { state: 'kept' } });
    const type = 'float_accounts.unmatched_credit.received';
    const detail = { creditor: { id: account.id }, amount: 300 };
    const again = aFact(type, { id: uid, detail });
    const odd = aFact('odd.event', { id: randomUUID() });
    const other = { resource: 'other' as const };
    await late(temporal, other, odd);
    const id = `odd.event/${odd.id}`;
    const notification = `/v1/notifications/${encodeURIComponent(id)}`;
    const acknowledged = await http.post(`${notification}/acknowledgement`, { reason: 'Read.' });
    expect(acknowledged).toMatchObject({ status: 200, body: { state: 'acknowledged' } });
    const ids = [unmatchedCreditWorkflowId(uid), notificationWorkflowId(id)];
    await forget(temporal, ...ids);
    for (const fact of [again, odd]) await late(temporal, other, fact);
    for (const workflowId of ids) await untilOver(temporal, workflowId);
    const { state, resolution } = resolved.body;
    expect((await http.get(path)).body).toMatchObject({ state, resolution, authenticated: true });
    expect((await http.get(notification)).body).toEqual(acknowledged.body);
  });
});
