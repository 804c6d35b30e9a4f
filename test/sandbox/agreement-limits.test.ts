// How many agreements may be asked for in a day.
import { expect, test } from 'vitest';
import { aDebtor, FIVE_DAYS, verdict } from './agreement-requests.js';
import { anAgreement } from './requests.js';
import { aWorld, type World } from './world.js';

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

test('an alias is an account of its own', async () => {
  const world = await aWorld();
  world.control.setLimits({ agreements_per_debtor_per_day: 1 });
  const alias = (value: string) => ({
    debtor: { party_name: 'A Payer', account_identifier: { type: 'alias_email', value } },
  });
  expect(await create(world, alias('a@b.example'))).toBe(201);
  expect(await create(world, alias('c@b.example'))).toBe(201);
  expect(await create(world, alias('a@b.example'))).toBe('ZPAGR15');
});

test('the account’s own limit counts what was created in 24 hours: ZPAGR16', async () => {
  const world = await aWorld();
  world.control.setLimits({ agreements_per_account_per_day: 2 });
  expect(await create(world, { debtor: aDebtor() })).toBe(201);
  expect(await create(world, { debtor: aDebtor(), cancel_if_unresolved: true })).toBe('ZPAGR17');
  expect(await create(world, { debtor: aDebtor() })).toBe(201);
  expect(await create(world, { debtor: aDebtor() })).toBe('ZPAGR16');
  await world.control.advance(FIVE_DAYS);
  expect(await create({ caller: await world.newCaller() }, { debtor: aDebtor() })).toBe(201);
});
