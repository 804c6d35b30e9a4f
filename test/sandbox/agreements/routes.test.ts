import { expect, test, describe } from 'vitest';
import { aDebtor, verdict } from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

describe('a body that is no request', () => {
  test.each([
    ['{"uid":', 400],
    ['[]', 400],
    [`{"description":"${'x'.repeat(1024 * 1024)}"}`, 413],
  ])('is refused, with a reason', async (body, status) => {
    const { caller } = await aWorld();
    const answer = await caller.post('/payto/agreements', body);
    expect([answer.status, answer.errors.length]).toEqual([status, 1]);
  });
});

describe('how many agreements may be asked for in a day', () => {
  const A_DAY = 86_400;
  const create = async ({ caller }: Pick<World, 'caller'>, overrides: object = {}) =>
    verdict(await caller.post('/payto/agreements', anAgreement(overrides)));

  test('six attempts for one debtor account in 24 hours, then ZPAGR15 until the first is a day old', async () => {
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

  test('an attempt that a rule refuses counts; one that the schema or the limit refuses does not, nor a known uid', async () => {
    const world = await aWorld();
    const debtor = aDebtor();
    const known = anAgreement({ debtor });
    await world.caller.post('/payto/agreements', known);
    const outcomes = [
      await create(world, { debtor, cancel_if_unresolved: true }),
      await create(world, { debtor, initiator: { client_id: 'nobody' } }),
      await create(world, { debtor, surprise: 1 }),
      await create(world, { debtor, description: '' }),
      await create(world, { uid: known.uid, debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { debtor }),
      await create(world, { uid: known.uid, debtor }),
    ];
    expect(outcomes).toEqual([
      'ZPAGR17',
      'ZPUNP00',
      400,
      'ZPUNP00',
      'ZPAGR00',
      201,
      201,
      201,
      'ZPAGR15',
      'ZPAGR00',
    ]);
  });
});
