// A payment without a readable record is never sent, refunded or changed by a guess.
import { randomUUID } from 'node:crypto';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { erasePayer } from '../../records/erase.js';
import { expireRecords } from '../../records/expire.js';
import { openCarried, sealCarried } from '../../records/sealed.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import {
  aFact,
  aRefund,
  asOwner,
  forget,
  late,
  refundedAndForgotten,
  settled,
  terminateAndForget,
  untilOver,
} from '../support/forgotten.js';
import { active, callsOf, overHttp } from '../support/over-http.js';
import { aPayment, anAgreement, type HttpStack } from '../support/http-stack.js';
import { KEYRING, eventually, skipTime, useTemporal } from '../support/temporal.js';
import type { Carried } from '../../workflows/contracts/every-workflow.js';

const temporal = useTemporal({ isAlone: true });

const rowOf = (uid: string) =>
  asOwner().selectFrom('payments').selectAll().where('uid', '=', uid).executeTakeFirst();

const LOST = { carried: null, carried_key_id: null, carried_version: null };
const OLDER = { carried_version: sql<number>`carried_version - 1` };

test('a forgotten payment whose end state is missing, or older than its row, is refunded only after a look-up, and counts the refunds before', async () => {
  await overHttp(temporal, async (http, connection) => {
    const refundedAfterLookUp = async (set: typeof LOST | typeof OLDER) => {
      const { payment, refund } = await refundedAndForgotten(temporal, http, connection);
      const { uid } = payment;
      await asOwner().updateTable('payments').set(set).where('uid', '=', uid).execute();
      const lookedUp = () => callsOf(http, 'get_payment', uid).length;
      const before = lookedUp();
      const next = aRefund(100);
      const answer = await eventually(
        () => http.backend.refund(uid, next),
        ({ status }) => status === 202,
      );
      expect(answer).toMatchObject({ status: 202 });
      expect(lookedUp()).toBeGreaterThan(before);
      await http.backend.untilPayment(uid, ({ refunded }) => refunded === 4100);
      const full = await http.backend.refund(uid, aRefund(101));
      expect(full).toMatchObject({ status: 422, problem: { code: 'refund_over_payment' } });
      expect(callsOf(http, 'create_refund', refund.uid)).toHaveLength(1);
    };
    await Promise.all([LOST, OLDER].map(refundedAfterLookUp));
  });
});

test('a payment that was never sent, and whose run was terminated and forgotten, lapses without being sent', async () => {
  await overHttp(temporal, async (http, connection) => {
    const agreement = await active(http, connection);
    const { uid, ...order } = aPayment();
    const why = { connection, reason: 'looks wrong' };
    expect(await http.post('/v1/stop', why)).toMatchObject({ status: 200 });
    await http.backend.pay(agreement, { uid, ...order });
    await http.backend.untilPayment(uid, ({ awaiting }) => awaiting.what === 'stop');
    await terminateAndForget(temporal, paymentWorkflowId(uid));
    expect(await http.post('/v1/stop/resumption', why)).toMatchObject({ status: 200 });
    expect(await http.post(`/v1/payments/${uid}/look-up`, {})).toMatchObject({ status: 202 });
    await skipTime(temporal.client, paymentWorkflowId(uid));
    const lapsed = await http.backend.untilPayment(uid, ({ state }) => state === 'lapsed');
    expect(lapsed).toMatchObject({ amount: order.amount, requested_by: 'test' });
    expect(callsOf(http, 'create_payment', uid)).toEqual([]);
  });
});

test('a run whose record is of a newer release waits and changes nothing, and its next run continues', async () => {
  await overHttp(temporal, async (http, connection) => {
    const uid = (await settled(http, await active(http, connection))).uid;
    const workflowId = paymentWorkflowId(uid);
    await forget(temporal, workflowId);
    const before = await rowOf(uid);
    if (before === undefined) throw new Error('expected a row');
    const carried = openCarried(KEYRING, 'payments', uid, before) as Carried<object>;
    const newer = sealCarried(KEYRING, 'payments', uid, { ...carried, shape: carried.shape + 1 });
    const put = ({ carried: sealed, carried_key_id }: Pick<typeof before, 'carried' | 'carried_key_id'>) =>
      asOwner()
        .updateTable('payments')
        .set({ carried: sealed, carried_key_id })
        .where('uid', '=', uid)
        .execute();
    await put(newer);
    await late(temporal, { resource: 'payment', uid }, aFact('settled'), connection);
    const run = temporal.client.workflow.getHandle(workflowId);
    const reason = async () => {
      const failed = (await run.fetchHistory()).events?.find((one) => one.workflowTaskFailedEventAttributes);
      const { failure } = failed?.workflowTaskFailedEventAttributes ?? {};
      const { loadedDataConverter } = temporal.client.options;
      return (await decodeOptionalFailureToOptionalError(loadedDataConverter, failure))?.message;
    };
    expect(await eventually(reason, (text) => text !== undefined)).toMatch(/newer release/);
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(await rowOf(uid)).toEqual({ ...before, ...newer });
    await put(before);
    await terminateAndForget(temporal, workflowId);
    await late(temporal, { resource: 'payment', uid }, aFact('settled'), connection);
    await untilOver(temporal, workflowId);
    const { data } = await http.backend.payment(uid);
    expect(data).toMatchObject({ state: 'settled', submissions: 1, requested_by: 'test' });
  });
});

const GONE = { status: 410, body: { code: 'gone' } };
const keyed = () => ({ 'idempotency-key': randomUUID() });

async function answersGone(http: HttpStack, agreement: string, uid: string): Promise<void> {
  const path = `/v1/payments/${uid}`;
  expect(await http.get(path)).toMatchObject(GONE);
  expect(await http.get(`${path}/timeline`)).toMatchObject(GONE);
  expect(await http.post(`${path}/refunds`, aRefund(100), keyed())).toMatchObject(GONE);
  expect(await http.post(`${path}/retry`, {}, keyed())).toMatchObject(GONE);
  expect(await http.post(`${path}/look-up`, {})).toMatchObject(GONE);
  const created = await http.post(`/v1/agreements/${agreement}/payments`, aPayment(uid), keyed());
  expect(created).toMatchObject(GONE);
}

test('a payment whose records have expired is gone, and an event about it is stored without personal data', async () => {
  await overHttp(temporal, async (http, connection) => {
    const agreement = await active(http, connection);
    const { uid } = await settled(http, agreement);
    await forget(temporal, paymentWorkflowId(uid));
    const db = asOwner();
    const old = { state_since: new Date('2001-01-01') };
    await db.updateTable('payments').set(old).where('uid', '=', uid).execute();
    const before = new Date('2001-02-01');
    const due = { before, keysBefore: before, deliveriesBefore: before };
    await expireRecords({ db, ...due, isApplied: true, onProgress: () => undefined });
    expect(await rowOf(uid)).toBeUndefined();
    await answersGone(http, agreement, uid);
    const fact = aFact('settled', { detail: { amount: 4200, debtor: { party_name: 'A Payer' } } });
    await late(temporal, { resource: 'payment', uid }, fact, connection);
    const path = `/v1/notifications/${encodeURIComponent(`settled/${fact.id}`)}`;
    const { body } = await eventually(
      () => http.get(path),
      ({ status }) => status === 200,
    );
    expect(body).toMatchObject({ state: 'open', detail: { amount: 4200 } });
    expect(JSON.stringify(body)).toContain(`names the payment ${uid}`);
    expect(JSON.stringify(body)).not.toContain('A Payer');
    expect(await rowOf(uid)).toBeUndefined();
    await answersGone(http, agreement, uid);
  });
});

test('an erased agreement is shown without personal data, and accepts nothing', async () => {
  await overHttp(temporal, async (http, connection) => {
    const requested = anAgreement(undefined, { connection });
    const { uid } = requested;
    await http.backend.create(requested);
    const payment = await settled(http, uid);
    await http.backend.cancel(uid, { reason: 'customer_requested' } as never);
    await http.backend.untilAgreement(uid, ({ state }) => state === 'cancelled');
    const workflowIds = [agreementWorkflowId(uid), paymentWorkflowId(payment.uid)];
    const over = (id: string) => temporal.client.workflow.getHandle(id).result();
    await Promise.all(workflowIds.map(over));
    const applied = { db: asOwner(), keyring: KEYRING, isApplied: true, onProgress: () => undefined };
    await erasePayer({ ...applied, of: { resource: 'agreement', uid }, by: 'test', reason: 'requested' });
    const isGone = async () => {
      const { status, body } = await http.get(`/v1/agreements/${uid}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { uid, state: 'cancelled', connection } });
      for (const text of [requested.description, requested.debtor.party_name ?? ''])
        expect(JSON.stringify(body)).not.toContain(text);
      for (const answer of [
        await http.backend.create(requested),
        await http.backend.suspend(uid, {}),
        await http.backend.lookUp(uid),
        await http.backend.refund(payment.uid, aRefund(100)),
      ])
        expect(answer).toMatchObject({ status: 410, problem: { code: 'gone' } });
    };
    await isGone();
    await forget(temporal, ...workflowIds);
    await isGone();
    const answer = await http.backend.pay(uid, aPayment());
    expect(answer).toMatchObject({ status: 410, problem: { code: 'gone' } });
  });
});
