import { expect, test } from 'vitest';
import { aPaymentAccount, aPayToClient } from '../../support/sandbox/clients.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

test('a client that is suspended or off-boarded stops new agreements there and below', async () => {
  const { caller, control, ...world } = await aWorld();
  control.setOrganisation({ deep_hierarchy: true });
  const ids = ['primary'];
  for (let level = 2; level <= 4; level += 1) {
    const parent_client_id = level === 2 ? null : ids.at(-1);
    ids.push(await aPayToClient({ ...world, caller, control }, { parent_client_id }));
  }
  const codes = async () => {
    const given: (string | number | undefined)[] = [];
    for (const client_id of ids) {
      const initiator = client_id === 'primary' ? null : { client_id };
      const { status, errors } = await caller.post('/payto/agreements', anAgreement({ initiator }));
      given.push(status === 201 ? 201 : errors[0]?.code);
    }
    return given;
  };
  control.setLimits({ agreements_per_debtor_per_day: 1000 });
  const codesBelow = (level: number) => ids.map((_, index) => (index < level ? 201 : 'ZCLT05'));
  for (const [level, id] of ids.entries()) {
    control.setClientService(id, 'payto', 'suspended');
    expect(await codes(), `${id} is suspended`).toEqual(codesBelow(level));
    control.setClientService(id, 'payto', 'active');
    expect(await codes()).toEqual([201, 201, 201, 201]);
  }
  for (const [level, id] of [...ids.entries()].toReversed()) {
    control.setClientService(id, 'payto', 'off_boarded');
    expect(await codes(), `${id} is off-boarded`).toEqual(codesBelow(level));
  }
});

test('a suspended client keeps its agreements', async () => {
  const world = await aWorld();
  const client_id = await aPayToClient(world);
  const request = anAgreement({ initiator: { client_id } });
  await world.caller.post('/payto/agreements', request);
  await world.control.advance(1);
  world.control.setClientService(client_id, 'payto', 'suspended');
  expect((await world.caller.get(`/payto/agreements/${request.uid}`)).data.state).toBe('active');
});

test('an account uid can be registered once', async () => {
  const { caller } = await aWorld();
  const [first, second] = [aPaymentAccount({ uid: 'one' }), aPaymentAccount({ uid: 'two' })];
  const register = async (...payment_accounts: object[]) =>
    (await caller.post('/counterparties', { payment_accounts })).status;
  expect(await register(second, second)).toBe(422);
  expect(await register(first)).toBe(201);
  expect(await register(second, first)).toBe(422);
  expect(await register(second)).toBe(201);
});
