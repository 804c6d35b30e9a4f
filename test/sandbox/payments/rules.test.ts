// The limits, dates and amounts of an agreement decide which payments are allowed on which day.
import { expect, test } from 'vitest';
import {
  ADHOC,
  anEndedPayment,
  aWorldAtNoon,
  codesOf,
  DAY_SECONDS,
  later,
  pay,
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const fixed = (more: object = {}) => ({
  payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500, ...more },
});
const balloon = (more: object = {}) => ({
  payment_terms: { type: 'balloon', frequency: 'monthly', amount: 500, last_payment_amount: 900, ...more },
});
const FAILS = { sandbox: { simulate: 'insufficient_funds' } };

/** 201, or the code of the refusal. */
const codeOf = async (world: World, uid: string | undefined, overrides: object = {}) =>
  codesOf((await pay(world, uid ?? '', overrides)).answer).at(-1);

test('the daily limit covers all agreements, without failed payments (ZPPAY01)', async () => {
  const world = await aWorldAtNoon();
  world.control.setLimits({ payments_daily_cents: 1000 });
  const one = await anActiveAgreement(world, ADHOC);
  const other = await anActiveAgreement(world, ADHOC);
  await anEndedPayment(world, one, { amount: 700 });
  expect(await codeOf(world, other, { amount: 301 })).toBe('ZPPAY01');
  await anEndedPayment(world, other, { amount: 300, ...FAILS });
  expect(await codeOf(world, one, { amount: 300 })).toBe(201);
  expect(await codeOf(world, one, { amount: 1 })).toBe('ZPPAY01');
  const tomorrow = await later(world, DAY_SECONDS);
  expect(await codeOf(tomorrow, one, { amount: 1000 })).toBe(201);
});

test('payments are allowed from the first to the last day of validity', async () => {
  let world = await aWorldAtNoon();
  const day = (days: number): string => plusDays(today(world), days);
  const validity = { validity_start_date: day(1), validity_end_date: day(2) };
  const uid = await anActiveAgreement(world, { ...ADHOC, ...validity });
  const codes: unknown[] = [];
  for (let days = 0; days <= 3; days += 1) {
    codes.push(await codeOf(world, uid));
    world = await later(world, DAY_SECONDS);
  }
  expect(codes).toEqual(['ZPPAY08', 201, 201, 'ZPPAY07']);
});

test('a first payment of a fixed amount is due only on its day (ZPPAY14)', async () => {
  const world = await aWorldAtNoon();
  const first_payment_date = plusDays(today(world), 1);
  const [early, late, failing] = await Promise.all(
    [1, 2, 3].map(() => anActiveAgreement(world, fixed({ first_payment_date, count: 2 }))),
  );
  const amount = { amount: 500 };
  expect(await codeOf(world, early, amount)).toBe('ZPPAY14');
  const thatDay = await later(world, DAY_SECONDS);
  expect(await codeOf(thatDay, early, amount)).toBe(201);
  expect(await codeOf(thatDay, failing, { ...amount, ...FAILS })).toBe(201);
  const nextDay = await later(thatDay, DAY_SECONDS);
  expect(await codeOf(nextDay, late, amount)).toBe('ZPPAY14');
  expect(await codeOf(nextDay, early, amount)).toBe(201);
  expect(await codeOf(nextDay, failing, amount)).toBe(201);
});

test('the first amount stays due only while every payment of it has failed (ZPPAY18)', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, balloon({ first_payment_amount: 700, count: 9 }));
  const first = { amount: 700, last_payment: false };
  const next = { amount: 500, last_payment: false };
  await anEndedPayment(world, uid, { ...first, ...FAILS });
  expect(await codeOf(world, uid, next)).toBe('ZPPAY18');
  await anEndedPayment(world, uid, { ...first, sandbox: { simulate: 'requires_investigation' } });
  expect(await codeOf(world, uid, first)).toBe('ZPPAY15');
  expect(await codeOf(world, uid, next)).toBe(201);
});

test('the last balloon payment is due on its day and ends the payments (ZPPAY20, ZPPAY21)', async () => {
  const world = await aWorldAtNoon();
  const last_payment_date = plusDays(today(world), 1);
  const uid = await anActiveAgreement(world, balloon({ last_payment_date, count: 9 }));
  const last = { amount: 900, last_payment: true };
  const more = { amount: 500, last_payment: false };
  expect([await codeOf(world, uid, last), await codeOf(world, uid, more)]).toEqual(['ZPPAY20', 201]);
  const thatDay = await later(world, DAY_SECONDS);
  await anEndedPayment(thatDay, uid, { ...last, ...FAILS });
  for (const [payment, code] of [
    [more, 201],
    [last, 201],
    [last, 'ZPPAY21'],
    [more, 'ZPPAY21'],
  ] as const)
    expect(await codeOf(thatDay, uid, payment)).toBe(code);
});
