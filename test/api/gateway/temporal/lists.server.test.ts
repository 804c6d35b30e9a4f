import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Gateway } from '../../../../api/gateway/create.js';
import type { ListQuery } from '../../../../api/http/parameters.schema.js';
import { paymentWorkflowId } from '../../../../workflows/payment/contract.js';
import type { PaymentOrder } from '../../../../domain/agreement/mandate.js';
import type { PaymentView } from '../../../../workflows/payment/contract.js';
import { aMandate, anOrder } from '../../../support/api/builders.js';
import { active, now, ofAgreement, ofPayment, useDoor } from '../../../support/api/gateway.js';
import { eventually } from '../../../support/temporal.js';
import { fetchedAgreement, fetchedPayment, only } from '../../../support/workflows/provider.js';

const orders = new Map<string, PaymentOrder>();
const { temporal, withDoor } = useDoor(
  only({
    createAgreement: ({ uid }) => {
      const fetchedAt = uid.startsWith('old-') ? new Date(Date.now() - 25 * 3_600_000).toISOString() : now();
      return Promise.resolve({ ...fetchedAgreement(uid, 'created'), fetchedAt });
    },
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    submitPayment: ({ uid, order }) => {
      orders.set(uid, order);
      return Promise.resolve(fetchedPayment(uid, 'settled', order));
    },
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled', orders.get(uid))),
  }),
);

async function settled(door: Gateway, connection: string, agreement_uid: string): Promise<PaymentView> {
  const uid = `p-${randomUUID()}`;
  await door.payments.request(uid, { ...anOrder(), agreement_uid }, undefined, undefined, 'key-1');
  await temporal.client.workflow.getHandle(paymentWorkflowId(uid)).result();
  const view = await door.payments.view(uid);
  expect(view).toMatchObject({ connectionId: connection, requestedBy: 'key-1' });
  if (view === undefined) throw new Error('expected a payment');
  return view;
}

test('payments are listed by state, agreement and request time, and later runs keep that time', async () => {
  await withDoor(async (door, connection) => {
    const { uid: agreement } = await active(door, connection);
    const { uid: elsewhere } = await active(door, connection);
    const first = await settled(door, connection, agreement);
    const second = await settled(door, connection, agreement);
    const other = await settled(door, connection, elsewhere);
    const list = async (query: Partial<ListQuery<PaymentView['state']>>) => {
      const { items } = await door.payments.list({ per_page: 20, connection, ...query });
      return items.map(({ uid }) => uid).sort();
    };
    const shows = (query: Parameters<typeof list>[0], ...those: PaymentView[]) =>
      eventually(
        () => list(query),
        (found) => JSON.stringify(found) === JSON.stringify(those.map(({ uid }) => uid).sort()),
      );
    await shows({ state: 'settled' }, first, second, other);
    await door.deliver(ofPayment(first.uid, { type: 'settled', publishedAt: now() }), undefined);
    const runs = () =>
      temporal.client.workflow.count(
        `WorkflowId = '${paymentWorkflowId(first.uid)}' AND CloseTime IS NOT NULL`,
      );
    await eventually(runs, ({ count }) => count === 2);
    await shows({ created_until: second.requestedAt, agreement }, first);
    await shows({ created_from: second.requestedAt, agreement }, second);
    await shows({ agreement: elsewhere, state: 'settled' }, other);
    await shows({ state: 'failed' });
    const { items } = await door.payments.list({ per_page: 20, connection, agreement: elsewhere });
    expect(items).toMatchObject([
      { agreementUid: elsewhere, state: 'settled', awaiting: 'nothing', requestedAt: other.requestedAt },
    ]);
  });
});

test('agreements are listed by the time without an answer from the payer', async () => {
  await withDoor(async (door, connection) => {
    const start = (uid: string) => door.agreements.start({ uid, connection, mandate: aMandate() });
    const old = `old-${randomUUID()}`;
    const answered = `old-${randomUUID()}`;
    for (const uid of [old, answered, `new-${randomUUID()}`]) await start(uid);
    await door.deliver(ofAgreement(answered), undefined);
    const unanswered = async (after?: '1h' | '24h' | '4d') => {
      const query = { per_page: 20, connection, unanswered: after, state: 'created' } as const;
      return (await door.agreements.list(query)).items.map(({ uid }) => uid);
    };
    await eventually(
      () => unanswered(),
      (all) => all.length === 2,
    );
    expect(await unanswered('1h')).toEqual([old]);
    expect(await unanswered('24h')).toEqual([old]);
    expect(await unanswered('4d')).toEqual([]);
  });
});
