// A period of an agreement starts on a Sydney day and limits its payments, and lists select by Sydney days.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodStart } from '../../../sandbox/payments/periods.js';
import { sydneyTimestamp } from '../../../sandbox/time/sydney.js';
import {
  anEndedPayment,
  at,
  aWorldAtNoon,
  codesOf,
  DAY_SECONDS,
  later,
  nowMs,
  pay,
  plusDays,
  sydneyMs,
  today,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const terms = (frequency: string, more: object = {}) => ({
  payment_terms: { type: 'variable', frequency, max_amount: 25_000, ...more },
});
const codeOf = async (world: World, uid: string) => codesOf((await pay(world, uid)).answer).at(-1);

describe('start of a period', () => {
  test.each([
    ['daily', '2026-10-01', '2026-10-04', '2026-10-04'],
    ['weekly', '2026-10-01', '2026-10-07', '2026-10-01'],
    ['weekly', '2026-10-01', '2026-10-08', '2026-10-08'],
    ['weekly', '2026-10-01', '2026-09-30', '2026-09-24'],
    ['fortnightly', '2026-09-24', '2026-10-07', '2026-09-24'],
    ['fortnightly', '2026-09-24', '2026-10-08', '2026-10-08'],
    ['monthly', '2026-10-15', '2026-11-14', '2026-10-15'],
    ['monthly', '2026-10-15', '2026-11-15', '2026-11-15'],
    ['monthly', '2026-10-15', '2026-10-14', '2026-09-15'],
    ['monthly', '2026-01-31', '2026-02-27', '2026-01-31'],
    ['monthly', '2026-01-31', '2026-02-28', '2026-02-28'],
    ['monthly', '2026-01-31', '2026-03-30', '2026-02-28'],
    ['monthly', '2026-01-31', '2026-03-31', '2026-03-31'],
    ['monthly', '2027-12-31', '2028-02-29', '2028-02-29'],
    ['quarterly', '2026-11-30', '2027-02-27', '2026-11-30'],
    ['quarterly', '2026-11-30', '2027-02-28', '2027-02-28'],
    ['semi_annual', '2026-08-31', '2027-02-28', '2027-02-28'],
    ['annual', '2028-02-29', '2029-02-27', '2028-02-29'],
    ['annual', '2028-02-29', '2029-02-28', '2029-02-28'],
    ['adhoc', '2026-10-01', '2026-10-04', null],
  ])('%s from %s: %s is in the period that starts %s', (frequency, anchor, day, start) => {
    expect(periodStart(frequency, anchor, day)).toBe(start);
  });

  test('property: is on or before the day and never moves back', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => plusDays('2000-01-01', days));
    const frequency = fc.constantFrom('daily', 'weekly', 'fortnightly', 'monthly', 'quarterly', 'annual');
    fc.assert(
      fc.property(frequency, day, day, (often, anchor, it) => {
        const start = periodStart(often, anchor, it) ?? '';
        expect(start <= it).toBe(true);
        expect(periodStart(often, anchor, start)).toBe(start);
        expect((periodStart(often, anchor, plusDays(it, 1)) ?? '') >= start).toBe(true);
        expect(periodStart(often, anchor, anchor)).toBe(anchor);
      }),
    );
  });
});

test.each([
  ['daily', 1],
  ['weekly', 7],
  ['fortnightly', 14],
])('a %s agreement allows one payment and the next %i days later (ZPPAY17)', async (frequency, days) => {
  const world = await aWorldAtNoon();
  const uid = await anActiveAgreement(world, terms(frequency));
  expect(await codeOf(world, uid)).toBe(201);
  const before = await later(world, (days - 1) * DAY_SECONDS);
  expect(await codeOf(before, uid)).toBe('ZPPAY17');
  expect(await codeOf(await later(before, DAY_SECONDS), uid)).toBe(201);
});

test('periods start at the first payment date', async () => {
  const world = await aWorldAtNoon();
  const first_payment_date = plusDays(today(world), 3);
  const validity_start_date = today(world);
  const uid = await anActiveAgreement(world, {
    ...terms('weekly', { first_payment_date }),
    validity_start_date,
  });
  const lastDay = await later(world, 9 * DAY_SECONDS);
  expect(await codeOf(lastDay, uid)).toBe(201);
  const nextDay = await later(lastDay, DAY_SECONDS);
  expect([await codeOf(nextDay, uid), await codeOf(nextDay, uid)]).toEqual([201, 'ZPPAY17']);
});

test('an ad hoc agreement is limited only by its count', async () => {
  const world = await aWorldAtNoon();
  const free = await anActiveAgreement(world, terms('adhoc'));
  for (let i = 0; i < 3; i += 1) expect(await codeOf(world, free)).toBe(201);
  const once = await anActiveAgreement(world, terms('adhoc', { count: 1 }));
  await anEndedPayment(world, once);
  expect(await codeOf(await later(world, 365 * DAY_SECONDS), once)).toBe('ZPPAY17');
});

test.each([
  ['insufficient_funds', 'failed', 201],
  ['requires_investigation', 'under_investigation', 422],
  ['pending_then_settle', 'pending', 422],
  ['auto_settle', 'settled', 422],
] as const)('after %s (%s) the next payment of the period is %i', async (simulate, state, status) => {
  const world = await aWorldAtNoon();
  const agreementUid = await anActiveAgreement(world, terms('monthly'));
  world.control.scriptPayment('pay-first', { simulate });
  await pay(world, agreementUid, { uid: 'pay-first' });
  await world.control.advance(36);
  expect(world.control.state().payments[0]?.state).toBe(state);
  expect((await pay(world, agreementUid)).answer.status).toBe(status);
});

function nextChange(afterMs: number): string {
  const offset = (atMs: number): string => sydneyTimestamp(atMs).slice(-6);
  const first = afterMs + 2 * DAY_SECONDS * 1000;
  const days = Array.from({ length: 366 }, (_, days) => first + days * DAY_SECONDS * 1000);
  const change = days.find((atMs) => offset(atMs) !== offset(atMs + DAY_SECONDS * 1000));
  return sydneyTimestamp(change ?? NaN).slice(0, 10);
}

test('a day with a clock change counts as one day', async () => {
  let world = await aWorld();
  for (let change = 0; change < 2; change += 1) {
    const around = nextChange(nowMs(world));
    world = await at(world, sydneyMs(around, '12:00'));
    const uid = await anActiveAgreement(world, terms('daily'));
    for (const day of [around, plusDays(around, 1), plusDays(around, 2)]) {
      if (day !== around) {
        world = await at(world, sydneyMs(day, '00:05'));
        expect(await codeOf(world, uid)).toBe(201);
      } else await anEndedPayment(world, uid);
      world = await at(world, sydneyMs(day, '23:55'));
      expect(await codeOf(world, uid)).toBe('ZPPAY17');
    }
  }
});

test('payments are listed by inclusive Sydney days', async () => {
  const world = await aWorldAtNoon();
  const day = (days: number): string => plusDays(today(world), days);
  const [zero, one, two] = [day(0), day(1), day(2)];
  const agreementUid = await anActiveAgreement(world, terms('adhoc'));
  const first = await anEndedPayment(world, agreementUid);
  const evening = await later(world, 11 * 60 * 60);
  const second = await anEndedPayment(evening, agreementUid);
  const nextDay = await later(evening, 2 * 60 * 60);
  const third = await anEndedPayment(nextDay, agreementUid);
  const list = (query: string) => nextDay.caller.get(`/payto/payments?${query}`);
  const between = async (min: string, max: string): Promise<unknown[]> =>
    (await list(`min_created_date=${min}&max_created_date=${max}`)).list.map((payment) => payment.uid);
  expect(await between(zero, zero)).toEqual([second, first]);
  expect(await between(one, two)).toEqual([third]);
  expect(await between(zero, one)).toEqual([third, second, first]);
  expect(await between(two, two)).toEqual([]);
  expect(codesOf(await list('min_created_date=2026-02-30'))).toEqual([422, 'ZPUNP00']);
});
