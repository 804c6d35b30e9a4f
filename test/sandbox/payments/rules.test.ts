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
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

const fixed = (more: object = {}) => ({
  payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500, ...more },
});
const balloon = (more: object = {}) => ({
  payment_terms: { type: 'balloon', frequency: 'monthly', amount: 500, last_payment_amount: 900, ...more },
});

test('the daily limit covers all agreements, without failed payments (ZPPAY01)', async () => {
  const world = await aWorldAtNoon();
  world.control.setLimits({ payments_daily_cents: 1000 });
  const one = await anActiveAgreement(world, ADHOC);
  const other = await anActiveAgreement(world, ADHOC);
  await anEndedPayment(world, one, { amount: 700 });
  expect(codesOf((await pay(world, other, { amount: 301 })).answer)).toEqual([422, 'ZPPAY01']);
  await anEndedPayment(world, other, { amount: 300, sandbox: { simulate: 'insufficient_funds' } });
  expect(codesOf((await pay(world, one, { amount: 300 })).answer)).toEqual([201]);
  expect(codesOf((await pay(world, one, { amount: 1 })).answer)).toEqual([422, 'ZPPAY01']);
  const tomorrow = await later(world, DAY_SECONDS);
  expect(codesOf((await pay(tomorrow, one, { amount: 1000 })).answer)).toEqual([201]);
});

test('payments are allowed from the first to the last day of validity', async () => {
  let world = await aWorldAtNoon();
  const day = (days: number): string => plusDays(today(world), days);
  const uid = await anActiveAgreement(world, {
    ...ADHOC,
    validity_start_date: day(1),
    validity_end_date: day(2),
  });
  const codes = [];
  for (let days = 0; days <= 3; days += 1) {
    codes.push(codesOf((await pay(world, uid)).answer));
    world = await later(world, DAY_SECONDS);
  }
  expect(codes).toEqual([[422, 'ZPPAY08'], [201], [201], [422, 'ZPPAY07']]);
});

test('a first payment of a fixed amount is due only on its day (ZPPAY14)', async () => {
  const world = await aWorldAtNoon();
  const first_payment_date = plusDays(today(world), 1);
  const [early, late, failing] = await Promise.all(
    [1, 2, 3].map(() => anActiveAgreement(world, fixed({ first_payment_date, count: 2 }))),
  );
  const payOn = async (it: typeof world, uid = '', sandbox?: object) =>
    codesOf((await pay(it, uid, { amount: 500, sandbox })).answer);
  expect(await payOn(world, early)).toEqual([422, 'ZPPAY14']);
  const thatDay = await later(world, DAY_SECONDS);
  expect(await payOn(thatDay, early)).toEqual([201]);
  expect(await payOn(thatDay, failing, { simulate: 'insufficient_funds' })).toEqual([201]);
  const nextDay = await later(thatDay, DAY_SECONDS);
  expect(await payOn(nextDay, late)).toEqual([422, 'ZPPAY14']);
  expect(await payOn(nextDay, early)).toEqual([201]);
  expect(await payOn(nextDay, failing)).toEqual([201]);
});

test('the first amount stays due only while every payment of it has failed (ZPPAY18)', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, balloon({ first_payment_amount: 700, count: 9 }));
  const first = { amount: 700, last_payment: false };
  const next = { amount: 500, last_payment: false };
  await anEndedPayment(world, uid, { ...first, sandbox: { simulate: 'insufficient_funds' } });
  expect(codesOf((await pay(world, uid, next)).answer)).toEqual([422, 'ZPPAY18']);
  await anEndedPayment(world, uid, { ...first, sandbox: { simulate: 'requires_investigation' } });
  expect(codesOf((await pay(world, uid, first)).answer)).toEqual([422, 'ZPPAY15']);
  expect(codesOf((await pay(world, uid, next)).answer)).toEqual([201]);
});

test('the last balloon payment is due on its day and ends the payments (ZPPAY20, ZPPAY21)', async () => {
  const world = await aWorldAtNoon();
  const last_payment_date = plusDays(today(world), 1);
  const uid = await anActiveAgreement(world, balloon({ last_payment_date, count: 9 }));
  const last = { amount: 900, last_payment: true };
  const more = { amount: 500, last_payment: false };
  expect(codesOf((await pay(world, uid, last)).answer)).toEqual([422, 'ZPPAY20']);
  expect(codesOf((await pay(world, uid, more)).answer)).toEqual([201]);
  const thatDay = await later(world, DAY_SECONDS);
  await anEndedPayment(thatDay, uid, { ...last, sandbox: { simulate: 'insufficient_funds' } });
  expect(codesOf((await pay(thatDay, uid, more)).answer)).toEqual([201]);
  expect(codesOf((await pay(thatDay, uid, last)).answer)).toEqual([201]);
  expect(codesOf((await pay(thatDay, uid, last)).answer)).toEqual([422, 'ZPPAY21']);
  expect(codesOf((await pay(thatDay, uid, more)).answer)).toEqual([422, 'ZPPAY21']);
});
