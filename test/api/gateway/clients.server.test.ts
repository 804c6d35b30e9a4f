// A business is one client per uid and ABN, and only an active client starts agreements.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusal, useDoor, rowsOf } from '../../support/api/gateway.js';
import { aMandate } from '../../support/api/builders.js';
import { eventually } from '../../support/temporal.js';
import {
  ACTIVE_AT_ONCE,
  aClientOrder,
  anAbn,
  failure,
  fetchedClient,
} from '../../support/workflows/provider.js';
import { registrationWorkflowId } from '../../../workflows/registration/contract.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { ClientOrder } from '../../../domain/client/request.schema.js';

const { withDoor, temporal } = useDoor({
  ...ACTIVE_AT_ONCE,
  findClient: () => Promise.resolve(null),
  createClient: ({ uid, order }) => {
    const { services: _, ...particulars } = order;
    const [state = 'active'] = order.legal_name.split(' ');
    if (state === 'refused') return Promise.reject(failure('rejected', ['ZPUNP00']));
    return Promise.resolve(fetchedClient(uid, state, { clientId: `at-${uid}` }, particulars));
  },
});

const asking = (connection: string, uid: string, over: Partial<ClientOrder> = {}, depth = 4) => ({
  uidOn: () => uid,
  connection,
  order: aClientOrder({ legal_name: 'active Pty', australian_business_number: anAbn(uid), ...over }),
  depth,
  caller: { principal: 'key-1', connections: undefined },
});

async function registered(door: Gateway, connection: string, over: Partial<ClientOrder> = {}) {
  const uid = `cli-${randomUUID()}`;
  await door.clients.start(asking(connection, uid, over));
  const { items: clients } = await eventually(
    () => door.clients.list(rowsOf({ connection })),
    (page) => page.items.some((one) => one.uid === uid && one.clientId !== undefined),
  );
  return clients.find((one) => one.uid === uid)?.clientId ?? '';
}

test('a client is registered once per uid, and a repeat with other details is refused', async () => {
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

test('concurrent registrations of one ABN create one client, even with different spellings of the name', async () => {
  await withDoor(async (door, connection) => {
    const abn = anAbn(connection);
    const register = (legal_name: string) =>
      door.clients.start(
        asking(connection, `cli-${randomUUID()}`, { australian_business_number: abn, legal_name }),
      );
    const names = ['Corner Gym Pty Ltd', 'CORNER GYM PTY. LTD.', 'Corner Gym Pty Ltd'];
    const answers = await Promise.allSettled(names.map(register));
    const [owner, ...others] = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.uid] : []));
    expect(others).toEqual([]);
    const refused = register('Corner Gym Pty Ltd');
    await expect(refused).rejects.toThrow(`/v1/clients/${owner ?? ''} `);
    expect(await refusal(refused)).toEqual({
      code: 'business_already_registered',
      pointers: ['/australian_business_number'],
    });
  });
});

test('a business can be registered again only after its previous client has failed', async () => {
  await withDoor(async (door, connection) => {
    const australian_business_number = anAbn(connection);
    const start = (legal_name: string) =>
      door.clients.start(
        asking(connection, `cli-${randomUUID()}`, { legal_name, australian_business_number }),
      );
    const { uid } = await start('refused Pty');
    const registration = registrationWorkflowId(connection, { australian_business_number }) ?? '';
    const { historyLength } = await temporal.client.workflow.getHandle(registration).describe();
    expect(historyLength).toBeLessThanOrEqual(6);
    await eventually(
      () => door.clients.view(uid),
      (view) => view?.state === 'failed',
    );
    expect(await start('active Pty')).toMatchObject({ state: 'requested' });
    expect(await refusal(start('active Pty'))).toMatchObject({ code: 'business_already_registered' });
  });
});

test('a suspended, unknown or deep parent is refused, and agreements below a client are counted', async () => {
  await withDoor(async (door, connection) => {
    const top = await registered(door, connection, { legal_name: 'suspended Pty' });
    const aside = await registered(door, connection);
    const middle = await registered(door, connection, { parent_client_id: aside });
    for (const unknown of ['cl-unknown', "it's none"])
      expect(await door.initiators.client(unknown)).toBeUndefined();

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
    const { items: agreements } = await door.agreements.list(rowsOf({ client: middle }));
    expect(agreements).toHaveLength(2);
    const suspended = await door.clients.list(rowsOf({ connection, states: ['suspended'] }));
    expect(suspended.items).toMatchObject([{ clientId: top }]);
  });
});
