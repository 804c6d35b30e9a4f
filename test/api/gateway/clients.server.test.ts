import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusal, useDoor } from '../../support/api/gateway.js';
import { aMandate } from '../../support/api/builders.js';
import { eventually } from '../../support/temporal.js';
import { ACTIVE_AT_ONCE, aClientOrder, fetchedClient } from '../../support/workflows/provider.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { ClientOrder } from '../../../domain/client/request.schema.js';

const { withDoor } = useDoor({
  ...ACTIVE_AT_ONCE,
  findClient: () => Promise.resolve(null),
  createClient: ({ uid, order }) => {
    const { services: _, ...particulars } = order;
    const [state = 'active'] = order.legal_name.split(' ');
    return Promise.resolve(fetchedClient(uid, state, { clientId: `at-${uid}` }, particulars));
  },
});

const asking = (connection: string, uid: string, over: Partial<ClientOrder> = {}, depth = 4) => ({
  uidOn: () => uid,
  connection,
  order: aClientOrder({ legal_name: 'active Pty', ...over }),
  depth,
});

async function registered(door: Gateway, connection: string, over: Partial<ClientOrder> = {}) {
  const uid = `cli-${randomUUID()}`;
  await door.clients.start(asking(connection, uid, over));
  const { items: clients } = await eventually(
    () => door.clients.list({ connection, per_page: 100 }),
    (page) => page.items.some((one) => one.uid === uid && one.clientId !== undefined),
  );
  return clients.find((one) => one.uid === uid)?.clientId ?? '';
}

test('the same uid is the same client, registered once; other particulars are refused', async () => {
  await withDoor(async (door, connection) => {
    const uid = `cli-${randomUUID()}`;
    const answers = await Promise.all([1, 2, 3].map(() => door.clients.start(asking(connection, uid))));
    expect(answers.map((view) => view.uid)).toEqual([uid, uid, uid]);
    const other = { merchant_category_code: '4900' };
    expect(await refusal(door.clients.start(asking(connection, uid, other)))).toEqual({
      code: 'idempotency_conflict',
      pointers: ['/merchant_category_code'],
    });
    const view = await eventually(
      () => door.clients.view(uid),
      (seen) => seen?.state === 'active',
    );
    expect(view).toMatchObject({ submissions: 1, adopted: false });
  });
});

test('what stands above a client stops it, and answers what runs beneath', async () => {
  await withDoor(async (door, connection) => {
    const top = await registered(door, connection, { legal_name: 'suspended Pty' });
    const aside = await registered(door, connection);
    const middle = await registered(door, connection, { parent_client_id: aside });
    expect(await door.clients.refusalToInitiate(middle)).toBeUndefined();
    expect(await door.clients.refusalToInitiate(top)).toContain('suspended');
    for (const unknown of ['cl-unknown', "it's none"])
      expect(await door.clients.refusalToInitiate(unknown)).toBeUndefined();
    expect(await Promise.all([middle, 'cl-unknown'].map(door.clients.categoryOf))).toEqual([
      '7997',
      undefined,
    ]);

    const beneath = (parent_client_id: string, depth?: number) =>
      refusal(door.clients.start(asking(connection, `cli-${randomUUID()}`, { parent_client_id }, depth)));
    const refused = { code: 'parent_not_allowed', pointers: ['/parent_client_id'] };
    expect(await beneath(top)).toEqual(refused);
    expect(await beneath(aside, 2)).toEqual(refused);
    expect(await beneath(middle, 3)).toEqual(refused);
    expect(await beneath('cl-unknown')).toEqual(refused);
    const { uid } = (await door.initiators.client(middle)) ?? {};
    expect(uid).toBe((await door.clients.uidOf(middle)) ?? 'missing');

    for (const client_id of [aside, middle, middle])
      await door.agreements.start({
        uid: `agr-${randomUUID()}`,
        connection,
        mandate: { ...aMandate(), initiator: { client_id } },
      });
    const running = await eventually(
      () => door.clients.beneath(aside),
      ({ own, agreements }) => own === 1 && agreements === 2,
    );
    expect(running.clients).toMatchObject([{ clientId: middle, state: 'active' }]);
    const { items: agreements } = await door.agreements.list({ client: middle, per_page: 20 });
    expect(agreements).toHaveLength(2);
    const suspended = await door.clients.list({ connection, state: 'suspended', per_page: 20 });
    expect(suspended.items).toMatchObject([{ clientId: top }]);
  });
});
