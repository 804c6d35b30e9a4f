import { expect, test } from 'vitest';
import { aPaymentAccount, aPayToClient } from '../../support/sandbox/clients.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

async function threeLevels(world: World): Promise<string[]> {
  world.control.setOrganisation({ deep_hierarchy: true });
  const ids: string[] = [];
  for (let level = 2; level <= 4; level += 1) {
    ids.push(await aPayToClient(world, { parent_client_id: ids.at(-1) ?? null }));
  }
  return ids;
}

const CREATED = [201, undefined];
const REFUSED = [422, 'ZCLT05'];

test.each(
  (['suspended', 'off_boarded'] as const).flatMap((status) => [
    { status, level: 1, answers: [REFUSED, REFUSED, REFUSED, REFUSED] },
    { status, level: 2, answers: [CREATED, REFUSED, REFUSED, REFUSED] },
    { status, level: 3, answers: [CREATED, CREATED, REFUSED, REFUSED] },
    { status, level: 4, answers: [CREATED, CREATED, CREATED, REFUSED] },
  ]),
)(
  'a client at level $level that is $status stops new agreements there and below',
  async ({ status, level, answers }) => {
    const world = await aWorld();
    const ids = await threeLevels(world);
    world.control.setClientService(['primary', ...ids][level - 1] ?? '', 'payto', status);
    const given = [];
    for (const initiator of [null, ...ids.map((client_id) => ({ client_id }))]) {
      const answer = await world.caller.post('/payto/agreements', anAgreement({ initiator }));
      given.push([answer.status, answer.errors[0]?.code]);
    }
    expect(given).toEqual(answers);
  },
);

test('a suspended client initiates again after it is resumed and keeps its agreements', async () => {
  const world = await aWorld();
  const client_id = await aPayToClient(world);
  const initiate = async () => {
    const request = anAgreement({ initiator: { client_id } });
    return { uid: request.uid, ...(await world.caller.post('/payto/agreements', request)) };
  };
  const { uid } = await initiate();
  await world.control.advance(1);
  world.control.setClientService(client_id, 'payto', 'suspended');
  expect((await initiate()).errors[0]?.code).toBe('ZCLT05');
  expect((await world.caller.get(`/payto/agreements/${uid}`)).data.state).toBe('active');
  world.control.setClientService(client_id, 'payto', 'active');
  expect((await initiate()).status).toBe(201);
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
