// An event after the end of a workflow is stored once, and changes only what is new.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../../api/gateway/create.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { PaymentOrder } from '../../../domain/agreement/mandate.js';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  agreementWorkflowId,
  type AgreementInput,
} from '../../../workflows/agreement/contract.js';
import { addPayment } from '../../../workflows/agreement/ledger.js';
import { newAgreement } from '../../../workflows/agreement/state.js';
import { carry } from '../../../workflows/contracts/upgrade.js';
import { fetchedAgreement, failure, only, fetchedPayment } from '../../support/workflows/provider.js';
import { shown } from '../../support/workflows/agreement-states.js';
import { eventually } from '../../support/temporal.js';
import { aMandate, anOrder } from '../../support/api/builders.js';
import { overJson } from '../../support/virtual-runs.js';
import {
  active,
  now,
  ofAgreement,
  ofPayment,
  reaches,
  refusal,
  useDoor,
  factsOf,
} from '../../support/api/gateway.js';

const history = new Map<string, Fact[]>();
const orders = new Map<string, PaymentOrder>();
const unheardOf = new Set<string>();

const provider = only({
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  adoptAgreement: ({ uid }) =>
    unheardOf.delete(uid)
      ? Promise.reject(failure('nothing_new'))
      : Promise.resolve({ ...fetchedAgreement(uid, 'active'), owner: 'acme' }),
  lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'cancelled', history.get(uid))),
  submitPayment: ({ uid, order }) => {
    orders.set(uid, order);
    return Promise.resolve(fetchedPayment(uid, 'settled', order));
  },
  lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled', orders.get(uid))),
});
const { temporal, withDoor } = useDoor(provider);

async function atRestAfter(
  view: () => Promise<{ awaiting: { what: string } } | undefined>,
  work: () => Promise<unknown>,
): Promise<void> {
  await work();
  await eventually(view, (seen) => seen?.awaiting.what === 'nothing');
}

async function ended(door: Gateway, connection: string) {
  const { uid } = await active(door, connection);
  const paymentUid = `p-${randomUUID()}`;
  const order = { ...anOrder(), agreement_uid: uid };
  await door.payments.request(paymentUid, order);
  await eventually(
    () => door.payments.view(paymentUid),
    (seen) => seen?.state === 'settled',
  );
  const cancelled = ofAgreement(uid, { type: 'cancelled' });
  await door.deliver(cancelled, undefined);
  await reaches(door, uid, 'cancelled');
  await eventually(
    () => temporal.client.workflow.getHandle(agreementWorkflowId(uid)).describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  const requested = { uid, connection, mandate: aMandate() };
  const answers = async () =>
    overJson({
      agreement: await door.agreements.view(uid),
      facts: await factsOf(door, uid),
      agreementAgain: await door.agreements.start(requested),
      payment: await door.payments.view(paymentUid),
      paymentAgain: await door.payments.request(paymentUid, order),
    });
  return { uid, paymentUid, order, cancelled, answers };
}

describe('event after the end of a workflow', () => {
  test('changes no answer if it is already known', async () => {
    await withDoor(async (door, connection) => {
      const { uid, paymentUid, cancelled, answers } = await ended(door, connection);
      const settled = ofPayment(paymentUid, { type: 'settled' });
      await atRestAfter(
        () => door.payments.view(paymentUid),
        () => door.deliver(settled, undefined),
      );
      const before = await answers();
      expect(before.agreement).toMatchObject({ connectionId: connection, payments: [{ uid: paymentUid }] });
      await atRestAfter(
        () => door.agreements.view(uid),
        () => door.deliver(cancelled, undefined),
      );
      await atRestAfter(
        () => door.payments.view(paymentUid),
        () => door.deliver(settled, undefined),
      );
      expect(await answers()).toEqual(before);
      expect(await answers()).toEqual(before);
    });
  });

  test('is checked and added to the timeline if it is new', async () => {
    await withDoor(async (door, connection) => {
      const { uid, paymentUid, answers } = await ended(door, connection);
      const before = await answers();
      const late = ofAgreement(uid, { type: 'suspended' });
      history.set(uid, [late.fact]);
      await atRestAfter(
        () => door.agreements.view(uid),
        () => door.deliver(late, `c-${randomUUID()}`),
      );
      const lateToo = ofPayment(paymentUid, { type: 'pending' });
      await atRestAfter(
        () => door.payments.view(paymentUid),
        () => door.deliver(lateToo, undefined),
      );
      const after = await answers();
      const moved = ({ fact }: typeof late) => ({
        awaiting: { what: 'nothing' },
        lastFactAt: fact.publishedAt,
      });
      const agreement = { ...before.agreement, ...moved(late), factCount: 3 };
      const payment = { ...before.payment, ...moved(lateToo) };
      expect(after).toMatchObject({ agreement, payment, agreementAgain: agreement, paymentAgain: payment });
      const ids = ({ facts = [] }: typeof before) => facts.map(({ id }) => id);
      expect(ids(after)).toEqual([...ids(before), late.fact.id]);
      const { typedSearchAttributes } = await temporal.client.workflow
        .getHandle(agreementWorkflowId(uid))
        .describe();
      expect(JSON.stringify(typedSearchAttributes)).toContain(connection);
    });
  });

  test('is stored also if several arrive concurrently', async () => {
    await withDoor(async (door, connection) => {
      const { uid } = await ended(door, connection);
      const late = ['suspended', 'reactivated', 'suspended'].map((type) => ofAgreement(uid, { type }));
      history.set(
        uid,
        late.map(({ fact }) => fact),
      );
      await atRestAfter(
        () => door.agreements.view(uid),
        async () => {
          await Promise.all(late.map((one) => door.deliver(one, undefined)));
        },
      );
      const known = await eventually(
        () => factsOf(door, uid),
        (seen) => seen?.length === 5,
      );
      expect(known?.map(({ id }) => id)).toEqual(expect.arrayContaining(late.map(({ fact }) => fact.id)));
    });
  });

  test('starts a run that adopts the agreement if the last one left no known state', async () => {
    await withDoor(async (door, connection) => {
      const { uid } = await active(door, connection);
      await temporal.client.workflow.getHandle(agreementWorkflowId(uid)).terminate();
      await door.deliver(ofAgreement(uid), undefined);
      const adopted = await eventually(
        () => door.agreements.view(uid),
        (seen) => seen?.adopted === true,
      );
      expect(adopted).toMatchObject({ payments: [] });
      await reaches(door, uid, 'active');

      const orphan = `a-${randomUUID()}`;
      unheardOf.add(orphan);
      await door.deliver(ofAgreement(orphan), undefined);
      await reaches(door, orphan, 'unknown');
      await eventually(
        () => temporal.client.workflow.getHandle(agreementWorkflowId(orphan)).describe(),
        ({ status }) => status.name === 'COMPLETED',
      );
      await door.deliver(ofAgreement(orphan), undefined);
      const found = await eventually(
        () => door.agreements.view(orphan),
        (seen) => seen?.connectionId === 'acme',
      );
      expect(found).toMatchObject({ state: 'active', attention: [] });
    });
  });

  test('starts from scratch if the last result belongs to another uid', async () => {
    await withDoor(async (door, connection) => {
      const uid = `a-${randomUUID()}`;
      const stranger = newAgreement({ uid: 'stranger', connectionId: connection, mandate: {} }, now());
      const handle = await startWith({
        uid,
        carried: carry(shown(stranger, fetchedAgreement(uid, 'cancelled'))),
      });
      await handle.result();
      await door.deliver(ofAgreement(uid), undefined);
      const view = () => door.agreements.view(uid);
      const adopted = await eventually(view, (seen) => seen?.connectionId === 'acme');
      expect(adopted).toMatchObject({ uid, state: 'active', adopted: true });
    });
  });
});

const startWith = (input: AgreementInput) =>
  temporal.client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: agreementWorkflowId(input.uid),
    args: [input],
  });

describe('repeated payment request', () => {
  test('finds the payment after its agreement lost it in a reset', async () => {
    await withDoor(async (door, connection) => {
      const { uid: agreement_uid } = await active(door, connection);
      const uid = `p-${randomUUID()}`;
      const order = { ...anOrder(), agreement_uid };
      await door.payments.request(uid, order);
      await eventually(
        () => door.payments.view(uid),
        (seen) => seen?.state === 'settled',
      );
      await temporal.client.workflow.getHandle(agreementWorkflowId(agreement_uid)).terminate();
      await door.deliver(ofAgreement(agreement_uid), undefined);
      const adopted = await eventually(
        () => door.agreements.view(agreement_uid),
        (seen) => seen?.connectionId === 'acme',
      );
      expect(adopted?.paymentCount).toBe(0);

      expect(await door.payments.request(uid, order)).toMatchObject({ state: 'settled', submissions: 1 });
      const other = { ...order, reference: 'INV 6' };
      expect(await refusal(door.payments.request(uid, other))).toEqual({
        code: 'idempotency_conflict',
        pointers: ['/reference'],
      });
    });
  });

  test('is refused for a payment no longer stored, and accepted for one just starting', async () => {
    await withDoor(async (door, connectionId) => {
      const agreement_uid = `a-${randomUUID()}`;
      const order = { ...anOrder(), agreement_uid };
      const entry = { amount: order.amount, order };
      const fresh = newAgreement({ uid: agreement_uid, connectionId, mandate: aMandate() }, now());
      const long = addPayment(shown(fresh, fetchedAgreement(agreement_uid, 'active')), {
        ...entry,
        uid: 'p-long-ago',
        requestedAt: '2026-01-01T00:00:00.000Z',
      });
      const justNow = now();
      const carried = addPayment(long, { ...entry, uid: 'p-just-now', requestedAt: justNow });
      const handle = await startWith({ uid: agreement_uid, carried: carry(carried) });
      await reaches(door, agreement_uid, 'active');
      expect(await refusal(door.payments.request('p-long-ago', order))).toMatchObject({
        code: 'gone',
      });
      expect(await door.payments.request('p-just-now', order)).toMatchObject({
        state: 'requested',
        requestedAt: justNow,
        connectionId,
      });
      await handle.signal(agreementFact, ofAgreement(agreement_uid, { type: 'cancelled' }).fact);
    });
  });
});
