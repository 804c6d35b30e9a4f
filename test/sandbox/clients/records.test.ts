import { expect, test } from 'vitest';
import {
  aClient,
  aCounterparty,
  aPaymentAccount,
  aPayToClient,
  aRegisteredClient,
  THIRD_PARTY,
} from '../../support/sandbox/clients.js';
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

test('a client without a parent stands beneath the account; one beneath it needs a deeper hierarchy', async () => {
  const world = await aWorld();
  const parent = await aRegisteredClient(world);
  const child = aClient({ parent_client_id: parent });
  const refused = await world.caller.post('/clients', child);
  expect([refused.status, refused.errors[0]?.detail]).toEqual([
    422,
    'parent_client_id: level 3 is not enabled for the organisation',
  ]);
  world.control.setOrganisation({ deep_hierarchy: true });
  const { status, data } = await world.caller.post('/clients', child);
  expect([status, data['parent_client_id']]).toEqual([201, parent]);
  world.control.setOrganisation({ deep_hierarchy: false });
  expect((await world.caller.post('/clients', child)).status).toBe(422);
  expect((await world.caller.get(`/clients/${data.id ?? ''}`)).status).toBe(200);
});

test.each(['none', 'primary', '__proto__'])('a parent %s is 422', async (parent_client_id) => {
  const { caller } = await aWorld();
  const answer = await caller.post('/clients', aClient({ parent_client_id }));
  expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'ZPUNP00']);
  expect(answer.errors[0]?.detail).toContain('parent_client_id');
});

test.each([
  { level: 2, services: ['payto', 'rtp', 'de'], status: 201 },
  { level: 3, services: ['payto'], status: 201 },
  { level: 3, services: [], status: 201 },
  { level: 3, services: ['payto', 'rtp'], status: 422 },
  { level: 4, services: ['payto'], status: 201 },
  { level: 4, services: ['de'], status: 422 },
])('services $services on level $level are $status', async ({ level, services, status }) => {
  const world = await aWorld();
  const parents = await threeLevels(world);
  const parent_client_id = parents[level - 3] ?? null;
  const answer = await world.caller.post('/clients', aClient({ parent_client_id, services }));
  expect(answer.status).toBe(status);
});

test.each([
  { level: 2, status: 202 },
  { level: 3, status: 422 },
])('Request to Pay added on level $level is $status', async ({ level, status }) => {
  const world = await aWorld();
  const ids = await threeLevels(world);
  const answer = await world.caller.patch(`/clients/${ids[level - 2] ?? ''}`, { services: ['rtp'] });
  expect(answer.status).toBe(status);
});

const CREATED = [201, undefined];
const REFUSED = [422, 'ZCLT05'];

test.each(
  (['suspended', 'off_boarded'] as const).flatMap((status) => [
    { status, level: 1, answers: [REFUSED, REFUSED, REFUSED, REFUSED] },
    { status, level: 2, answers: [CREATED, REFUSED, REFUSED, REFUSED] },
    { status, level: 3, answers: [CREATED, CREATED, REFUSED, REFUSED] },
    { status, level: 4, answers: [CREATED, CREATED, CREATED, REFUSED] },
  ]),
)('level $level $status stops new agreements there and beneath', async ({ status, level, answers }) => {
  const world = await aWorld();
  const ids = await threeLevels(world);
  world.control.setClientService(['primary', ...ids][level - 1] ?? '', 'payto', status);
  const given = [];
  for (const initiator of [null, ...ids.map((client_id) => ({ client_id }))]) {
    const answer = await world.caller.post('/payto/agreements', anAgreement({ initiator }));
    given.push([answer.status, answer.errors[0]?.code]);
  }
  expect(given).toEqual(answers);
});

test.each([
  { parent: 'without PayTo', services: ['de'], seconds: 60 },
  { parent: 'whose PayTo is pending', services: ['payto'], seconds: 0 },
])('nobody initiates beneath a client $parent', async ({ services, seconds }) => {
  const world = await aWorld();
  world.control.setOrganisation({ deep_hierarchy: true });
  const parent = await aRegisteredClient(world, { services });
  await world.control.advance(seconds);
  const client_id = await aRegisteredClient(world, { parent_client_id: parent });
  world.control.setClientService(client_id, 'payto', 'active');
  const answer = await world.caller.post('/payto/agreements', anAgreement({ initiator: { client_id } }));
  expect([answer.status, answer.errors[0]?.code]).toEqual(REFUSED);
});

test('what is suspended and resumed initiates again, and its earlier agreements stay', async () => {
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

test('other services of those above do not matter to agreements', async () => {
  const world = await aWorld();
  const client_id = await aPayToClient(world, { services: ['payto', 'de'] });
  for (const id of ['primary', client_id]) world.control.setClientService(id, 'de', 'suspended');
  const answer = await world.caller.post('/payto/agreements', anAgreement({ initiator: { client_id } }));
  expect(answer.status).toBe(201);
});

test('a service is pending for a minute, then active, and no webhook tells of it', async () => {
  const world = await aWorld();
  const id = await aRegisteredClient(world);
  const payto = async () => (await world.caller.get(`/clients/${id}`)).data['services'];
  await world.control.advance(50);
  expect(await payto()).toEqual({ payto: 'pending', rtp: null, de: null });
  await world.control.advance(10);
  expect(await payto()).toEqual({ payto: 'active', rtp: null, de: null });
  expect(world.receiver.received).toEqual([]);
});

test('an update is 202 without a body: what it names changes, null empties, the rest stays', async () => {
  const { caller } = await aWorld();
  const contact_information = { contact_name: 'A', email: 'a@gym.example', phone: '+61 2 1234' };
  const id = await aRegisteredClient({ caller }, { registered_address: '1 Main St', contact_information });
  const changes = { legal_name: 'Corner Gym Ltd', registered_address: null, business_names: null };
  const answer = await caller.patch(`/clients/${id}`, changes);
  expect([answer.status, answer.data]).toEqual([202, {}]);
  expect((await caller.get(`/clients/${id}`)).data).toEqual({
    ...(await caller.post('/clients', aClient({ contact_information }))).data,
    ...changes,
    id,
    business_names: [],
  });
});

test('an update adds a service, which is pending for a minute of its own', async () => {
  const world = await aWorld();
  const id = await aRegisteredClient(world);
  const services = async () => (await world.caller.get(`/clients/${id}`)).data['services'];
  await world.control.advance(40);
  expect((await world.caller.patch(`/clients/${id}`, { services: ['rtp', 'rtp'] })).status).toBe(202);
  await world.control.advance(20);
  expect(await services()).toEqual({ payto: 'active', rtp: 'pending', de: null });
  await world.control.advance(40);
  expect(await services()).toEqual({ payto: 'active', rtp: 'active', de: null });
});

test.each(['suspended', 'off_boarded'] as const)(
  'an update brings back no service that the provider has %s',
  async (status) => {
    const world = await aWorld();
    const id = await aPayToClient(world);
    world.control.setClientService(id, 'payto', status);
    expect((await world.caller.patch(`/clients/${id}`, { services: ['payto'] })).status).toBe(202);
    await world.control.advance(3600);
    expect((await world.caller.get(`/clients/${id}`)).data['services']).toMatchObject({ payto: status });
  },
);

const withAccount = (overrides: object) => ({ payment_accounts: [aPaymentAccount(overrides)] });
const verifiedBy = (verification: object) => withAccount({ verification });

test('a uid names one account for good', async () => {
  const { caller } = await aWorld();
  const [first, second] = [aPaymentAccount({ uid: 'one' }), aPaymentAccount({ uid: 'two' })];
  const register = async (...payment_accounts: object[]) =>
    (await caller.post('/counterparties', { payment_accounts })).status;
  expect(await register(second, second)).toBe(422);
  expect(await register(first)).toBe(201);
  expect(await register(second, first)).toBe(422);
  expect(await register(second)).toBe(201);
});

test.each(['7995', '6051'])('category %s needs an identity and verified accounts', async (code) => {
  const { caller, control } = await aWorld();
  control.setMerchantCategory('primary', code);
  const verified = verifiedBy(THIRD_PARTY);
  const details = [];
  for (const overrides of [{ ...verified, identity: undefined }, {}, verified]) {
    const { status, errors } = await caller.post('/counterparties', aCounterparty(overrides));
    details.push([status, errors[0]?.detail]);
  }
  expect(details).toEqual([
    [422, 'identity: is required of a high-risk client'],
    [422, 'payment_accounts.0.verification: is required of a high-risk client'],
    [201, undefined],
  ]);
  control.setMerchantCategory('primary', '4900');
  expect((await caller.post('/counterparties', { payment_accounts: [aPaymentAccount()] })).status).toBe(201);
});
