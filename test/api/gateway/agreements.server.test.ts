// A repeat of a request for an agreement or a payment gets the same answer, and another request under its uid is refused.
import { randomUUID } from 'node:crypto';
import { QueryNotRegisteredError } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createGateway } from '../../../api/gateway/create.js';
import { storedAs } from '../../../delivery/notifications.js';
import { agreementWorkflowId, getAgreement } from '../../../workflows/agreement/contract.js';
import { connectionWorkflowId } from '../../../workflows/connection/contract.js';
import { getNotification, notificationWorkflowId } from '../../../workflows/notification/contract.js';
import { getPayment, paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { failure, fetchedAgreement, only, fetchedPayment } from '../../support/workflows/provider.js';
import { eventually, queried } from '../../support/temporal.js';
import { aFact, aMandate, anOrder } from '../../support/api/builders.js';
import { active, now, ofAgreement, reaches, refusal, useDoor, factsOf } from '../../support/api/gateway.js';

const provider = only({
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  adoptAgreement: ({ uid }) =>
    uid.startsWith('named-')
      ? Promise.reject(failure('nothing_new'))
      : Promise.resolve({ ...fetchedAgreement(uid, 'active'), owner: 'acme' }),
  lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
  submitPayment: ({ uid, order }) => Promise.resolve(fetchedPayment(uid, 'settled', order)),
  exchangeCode: ({ generation }) =>
    Promise.resolve({
      generation,
      expiresAt: now(),
      refreshAt: now(),
      scope: 's',
      sealedAccess: 'a',
      sealedRefresh: 'r',
    }),
});

const { temporal, withDoor } = useDoor(provider);

describe('agreements', () => {
  test('accept a repeat, and refuse another request with the same uid at the differing field', async () => {
    await withDoor(async (door, connection) => {
      const asked = { uid: `a-${randomUUID()}`, connection, mandate: aMandate() };
      expect(await door.agreements.start(asked)).toMatchObject({
        state: 'pending',
        connectionId: connection,
      });
      expect(await door.agreements.start(asked)).toMatchObject({ uid: asked.uid, connectionId: connection });
      const other = { ...asked, mandate: { ...aMandate(), metadata: { order: '78' } } };
      expect(await refusal(door.agreements.start(other))).toEqual({
        code: 'idempotency_conflict',
        pointers: ['/metadata/order'],
      });
      const less = { ...asked, mandate: { ...aMandate(), validity_start_date: undefined } };
      expect(await refusal(door.agreements.start(less))).toEqual({
        code: 'idempotency_conflict',
        pointers: ['/validity_start_date'],
      });
      expect(await factsOf(door, asked.uid)).toBeDefined();
      expect(await factsOf(door, 'nobody-knows')).toBeUndefined();
    });
  });

  test('are created for a uid that only an event has named before', async () => {
    await withDoor(async (door, connection) => {
      const uid = `named-${randomUUID()}`;
      await door.deliver(ofAgreement(uid, { authenticated: false }), 'acme');
      await reaches(door, uid, 'unknown');
      const caller = { principal: 'backend', connections: undefined };
      const asked = { uid, connection, mandate: aMandate(), caller };
      const claimed = { state: 'pending', connectionId: connection, requestedBy: 'backend' };
      expect(await door.agreements.start(asked)).toMatchObject(claimed);
      const another = { ...asked, caller: { ...caller, principal: 'other' } };
      await expect(door.agreements.start(another)).rejects.toThrow('Another caller');
      const other = { ...asked, mandate: { ...aMandate(), purpose: 'retail' } };
      expect(await refusal(door.agreements.start(other))).toMatchObject({ code: 'idempotency_conflict' });
    });
  });

  test('are not started if the connection is unknown or missing', async () => {
    await withDoor(async (door) => {
      const uid = `a-${randomUUID()}`;
      const asked = { uid, connection: `c-${randomUUID()}`, mandate: aMandate() };
      expect(await refusal(door.agreements.start(asked))).toEqual({
        code: 'connection_unknown',
        pointers: ['/connection'],
      });
      await door.connections.begin(`c-${randomUUID()}`);
      const unnamed = { uid, connection: undefined, mandate: aMandate() };
      await eventually(
        () => refusal(door.agreements.start(unnamed)).catch(() => undefined),
        (met) => met?.code === 'connection_required',
      );
      expect(await door.agreements.view(uid)).toBeUndefined();
    });
  });
});

describe('payments', () => {
  test('are created once per uid, also for repeats after the agreement has ended', async () => {
    await withDoor(async (door, connection) => {
      const { uid: agreement_uid } = await active(door, connection);
      const uid = `p-${randomUUID()}`;
      const order = { ...anOrder(), agreement_uid };
      const use = { key: 'digest', uid, body: 'digest' };
      expect(await door.payments.request(uid, order, use)).toMatchObject({
        state: 'requested',
        connectionId: connection,
      });
      const settled = () => door.payments.view(uid);
      const conflict = { code: 'idempotency_conflict' };
      expect(await door.payments.request(uid, order, use)).toMatchObject({ uid });
      expect(await refusal(door.payments.request('p-2', order, { ...use, uid: 'p-2' }))).toMatchObject(
        conflict,
      );
      await eventually(settled, (seen) => seen?.state === 'settled');
      expect(await door.payments.request(uid, order)).toMatchObject({ state: 'settled', submissions: 1 });
      expect(await refusal(door.payments.request(uid, { ...order, amount: 1 }))).toEqual({
        code: 'idempotency_conflict',
        pointers: ['/amount'],
      });
      expect(await refusal(door.payments.request('p-2', { ...order, amount: 25_001 }))).toEqual({
        code: 'amount_over_maximum',
        pointers: ['/amount'],
      });

      await door.deliver(ofAgreement(agreement_uid, { type: 'cancelled' }), undefined);
      await reaches(door, agreement_uid, 'cancelled');
      expect(await door.payments.request(uid, order)).toMatchObject({ state: 'settled' });
      const other = { ...use, uid: 'p-3' };
      expect(await refusal(door.payments.request('p-3', order, other))).toMatchObject(conflict);
      expect(await refusal(door.payments.request('p-3', order))).toMatchObject({
        code: 'agreement_not_active',
      });
    });
  });

  test('are refused if the agreement is unknown or not accepted by the payer', async () => {
    await withDoor(async (door, connection) => {
      expect(
        await refusal(door.payments.request('p-1', { ...anOrder(), agreement_uid: 'nobody-knows' })),
      ).toMatchObject({ code: 'not_found' });
      const { uid } = await door.agreements.start({
        uid: `a-${randomUUID()}`,
        connection,
        mandate: aMandate(),
      });
      expect(await refusal(door.payments.request('p-1', { ...anOrder(), agreement_uid: uid }))).toMatchObject(
        { code: 'agreement_not_active' },
      );
    });
  });
});

describe('connections', () => {
  test('are not found after termination, and can be started again with the same id', async () => {
    await withDoor(async (door, connection) => {
      await temporal.client.workflow.getHandle(connectionWorkflowId(connection)).terminate();
      expect(await door.connections.view(connection)).toBeUndefined();
      expect(await door.connections.exists(connection)).toBe(false);
      expect(await refusal(door.connections.reauthorise(connection))).toMatchObject({ code: 'not_found' });
      const answer = { round: 1, expiresAt: now(), browser: 'b', sealedCode: 's' };
      const refused = { refused: 'consent_round_unknown' };
      expect(await door.connections.useTicket(connection, answer)).toEqual(refused);
      expect(await door.connections.complete(connection, answer)).toEqual(refused);
      expect(await door.connections.begin(connection)).toMatchObject({ round: 1 });
      expect(await door.connections.exists(connection)).toBe(true);
      expect(await door.connections.view(connection)).toMatchObject({ status: 'awaiting_consent' });
    });
  });
});

describe('notifications', () => {
  test('adopt an unknown agreement, and store an event of another resource type once', async () => {
    await withDoor(async (door) => {
      const uid = `a-${randomUUID()}`;
      await door.deliver(ofAgreement(uid), 'acme');
      expect(await reaches(door, uid, 'active')).toMatchObject({ adopted: true, connectionId: 'acme' });
      const fact = aFact({ id: randomUUID(), type: 'float_accounts.unmatched_credit.received' });
      const other = { resource: 'other', resourceType: 'FloatBankTransaction', fact } as const;
      await door.deliver(other, undefined);
      await expect(door.deliver(other, undefined)).resolves.toBeUndefined();
      const again = { ...other, fact: { ...fact, type: 'float_accounts.unmatched_credit.returned' } };
      await door.deliver(again, undefined);
      for (const delivered of [fact, again.fact]) {
        const kept = temporal.client.workflow.getHandle(notificationWorkflowId(storedAs(delivered)));
        expect(await queried(kept, getNotification)).toMatchObject({ fact: { type: delivered.type } });
      }
    });
  });

  test('are stored under a hash unless their type and id have the documented form', () => {
    const uuid = randomUUID();
    expect(storedAs({ type: 'a.b', id: uuid })).toBe(`a.b/${uuid}`);
    const odd = [
      { type: 'Ada.Payer', id: uuid },
      { type: 'a', id: 'Ada-Payer-87654321' },
      { type: 'a', id: 'x'.repeat(200) },
      { type: 'a', id: uuid, provenConnectionId: 'acme' },
    ];
    const ids = odd.map(storedAs);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^sha256-[0-9a-f]{64}$/);
  });
});

const readUntilReplayed = (uid: string) =>
  eventually(
    () =>
      temporal.client.workflow
        .getHandle(agreementWorkflowId(uid))
        .query(getAgreement)
        .catch((error: unknown) => {
          if (error instanceof QueryNotRegisteredError) return undefined;
          throw error;
        }),
    (view) => view !== undefined,
  );

describe('task queue without a worker', () => {
  test('accepts a start, and refuses a read with worker_unavailable', async () => {
    const door = createGateway(temporal.client, `nobody-${randomUUID()}`, RECORDS_AWAY);
    const uid = `a-${randomUUID()}`;
    await door.deliver(ofAgreement(uid), 'acme');
    expect(await refusal(door.agreements.view(uid))).toMatchObject({ code: 'worker_unavailable' });
    await expect(door.ready()).resolves.toBeUndefined();
  });

  test('reads completed agreements and payments from their results, and cannot read terminated ones', async () => {
    const taskQueue = `over-${randomUUID()}`;
    const door = createGateway(temporal.client, taskQueue, RECORDS_AWAY);
    const [connection, payment] = [`c-${randomUUID()}`, `p-${randomUUID()}`];
    const { agreement, paid, asked, terminated } = await temporal.run(
      provider,
      async () => {
        await door.connections.begin(connection);
        const { uid } = await active(door, connection);
        const order = { ...anOrder(), agreement_uid: uid };
        await door.payments.request(payment, order);
        const paying = temporal.client.workflow.getHandle(paymentWorkflowId(payment));
        await paying.result();
        await door.deliver(ofAgreement(uid, { type: 'cancelled' }), undefined);
        const handle = temporal.client.workflow.getHandle(agreementWorkflowId(uid));
        await handle.result();
        const other = await active(door, connection);
        await temporal.client.workflow.getHandle(agreementWorkflowId(other.uid)).terminate();
        return {
          agreement: await handle.query(getAgreement),
          paid: await paying.query(getPayment),
          asked: order,
          terminated: await readUntilReplayed(other.uid),
        };
      },
      taskQueue,
    );
    const { uid } = agreement;
    expect(await door.agreements.whole(uid)).toEqual({ ...agreement, state: 'cancelled' });
    expect(await door.payments.view(payment)).toEqual({ ...paid, state: 'settled' });
    expect(await door.payments.request(payment, asked)).toEqual(paid);
    expect(terminated).toMatchObject({ state: 'active' });
    expect(await refusal(door.agreements.view(terminated?.uid ?? ''))).toMatchObject({
      code: 'worker_unavailable',
    });
  });
});
