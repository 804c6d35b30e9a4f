import { expect, test, describe } from 'vitest';
import { aDebtor, verdict } from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

describe('daily agreement limit', () => {
  const A_DAY = 86_400;
  const create = async ({ caller }: Pick<World, 'caller'>, overrides: object = {}) =>
    verdict(await caller.post('/payto/agreements', anAgreement(overrides)));

  test('allows six attempts per debtor account in 24 hours, then answers ZPAGR15', async () => {
    const world = await aWorld();
    const debtor = aDebtor();
    await create(world, { debtor });
    await world.control.advance(3600);
    for (let more = 0; more < 5; more += 1) expect(await create(world, { debtor })).toBe(201);
    expect(await create(world, { debtor })).toBe('ZPAGR15');
    expect(await create(world, { debtor: aDebtor() })).toBe(201);
    await world.control.advance(A_DAY - 3700);
    const later = { caller: await world.newCaller() };
    expect(await create(later, { debtor })).toBe('ZPAGR15');
    await world.control.advance(200);
    expect(await create(later, { debtor })).toBe(201);
    expect(await create(later, { debtor })).toBe('ZPAGR15');
  });
});
