import { expect, test } from 'vitest';
import { anAliasLookup, simulating } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

const A_DAY_SECONDS = 24 * 60 * 60;
const ALIAS = '/payto/alias_resolution';

const codesOf = async (world: World, requests: readonly object[]) => {
  const caller = await world.newCaller();
  const codes: (string | number)[] = [];
  for (const request of requests) {
    const { status, errors } = await caller.post(ALIAS, request);
    codes.push(errors[0]?.code ?? status);
  }
  return codes;
};

const from = (id: string, remote_ip: string) => anAliasLookup({ requester: { id, remote_ip } });

test.each([
  ['account', 'ZPADD02', [from('a', '192.0.2.1'), from('b', '192.0.2.2'), from('c', '192.0.2.3')]],
  ['ip', 'ZPADD03', [from('a', '192.0.2.1'), from('b', '192.0.2.1'), from('c', '192.0.2.1')]],
  ['requester', 'ZPADD04', [from('a', '192.0.2.1'), from('a', '192.0.2.2'), from('a', '192.0.2.3')]],
])('the look-ups of one %s are limited by %s for 24 hours', async (who, code, requests) => {
  const world = await aWorld();
  world.control.setLimits({ [`alias_lookups_per_${who}_per_day`]: 2 });
  expect(await codesOf(world, requests)).toEqual([200, 200, code]);
  await world.control.advance(A_DAY_SECONDS - 60);
  expect(await codesOf(world, requests.slice(2))).toEqual([code]);
  await world.control.advance(60);
  expect(await codesOf(world, requests)).toEqual([200, 200, code]);
});

test('look-ups that find nothing count, malformed ones do not', async () => {
  const world = await aWorld();
  world.control.setLimits({ alias_lookups_per_requester_per_day: 2 });
  const lost = anAliasLookup(simulating('alias_not_found'));
  const malformed = anAliasLookup({ value: 'nobody' });
  const codes = await codesOf(world, [malformed, malformed, malformed, lost, lost, anAliasLookup()]);
  expect(codes.slice(3)).toEqual(['ZPADD01', 'ZPADD01', 'ZPADD04']);
});
