// What the provider may do to the services of a client: every move from every status, and nothing else.
import { expect, test } from 'vitest';
import { serviceMoves } from '../../sandbox/clients/services.js';
import { PRIMARY_CLIENT } from '../../sandbox/clients/records.js';
import { aRegisteredClient } from './client-requests.js';
import { aWorld, type World } from './world.js';

const STATUSES = ['pending', 'active', 'suspended', 'off_boarded'] as const;
type Status = (typeof STATUSES)[number];

const POSSIBLE: Record<Status | 'null', readonly Status[]> = {
  null: [],
  pending: ['active', 'off_boarded'],
  active: ['suspended', 'off_boarded'],
  suspended: ['active', 'off_boarded'],
  off_boarded: [],
};

/** How to bring a service there. */
const ROAD: Record<Status, readonly Status[]> = {
  pending: [],
  active: ['active'],
  suspended: ['active', 'suspended'],
  off_boarded: ['off_boarded'],
};

async function aClientWhosePayToIs(world: World, from: Status | 'null'): Promise<string> {
  if (from === 'null') return aRegisteredClient(world, { services: ['de'] });
  const id = await aRegisteredClient(world);
  for (const step of ROAD[from]) world.control.setClientService(id, 'payto', step);
  return id;
}

test.each(
  ([...STATUSES, 'null'] as const).flatMap((from) =>
    STATUSES.map((to) => ({ from, to, isPossible: POSSIBLE[from].includes(to) })),
  ),
)('$from to $to: $isPossible', async ({ from, to, isPossible }) => {
  const world = await aWorld();
  const id = await aClientWhosePayToIs(world, from);
  const move = () => {
    world.control.setClientService(id, 'payto', to);
  };
  if (isPossible) move();
  else expect(move).toThrow(expect.objectContaining({ status: 409 }));
  const services = { payto: isPossible ? to : from === 'null' ? null : from };
  expect((await world.caller.get(`/clients/${id}`)).data['services']).toMatchObject(services);
});

test('what the page can offer is what is possible', () => {
  const services = { payto: 'active', rtp: null, de: 'off_boarded' } as const;
  expect(serviceMoves({ ...PRIMARY_CLIENT, services })).toEqual([
    { service: 'payto', status: 'suspended' },
    { service: 'payto', status: 'off_boarded' },
  ]);
});

test('a service approved early or off-boarded while pending is not touched when its minute is over', async () => {
  const world = await aWorld();
  const id = await aRegisteredClient(world, { services: ['payto', 'rtp'] });
  world.control.setClientService(id, 'payto', 'active');
  world.control.setClientService(id, 'payto', 'suspended');
  world.control.setClientService(id, 'rtp', 'off_boarded');
  await world.control.advance(3600);
  const { data } = await world.caller.get(`/clients/${id}`);
  expect(data['services']).toEqual({ payto: 'suspended', rtp: 'off_boarded', de: null });
});

test('an unknown client is 404, and a category that is no code 422', async () => {
  const { control } = await aWorld();
  expect(() => {
    control.setClientService('none', 'payto', 'active');
  }).toThrow(expect.objectContaining({ status: 404 }));
  expect(() => {
    control.setMerchantCategory('none', '4900');
  }).toThrow(expect.objectContaining({ status: 404 }));
  expect(() => {
    control.setMerchantCategory('primary', 'gambling');
  }).toThrow(expect.objectContaining({ status: 422 }));
});
