// Every rule for a new payment (ZPPAY01-25, ZPUNP02-05): what breaks it, and what just keeps to it.
import { expect, test } from 'vitest';
import {
  ADHOC,
  anEndedPayment,
  aWorldAtNoon,
  codesOf,
  CREDITOR,
  DAY_SECONDS,
  later,
  pay,
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

const fixed = (more: object = {}) => ({
  payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500, ...more },
});
const balloon = (more: object = {}) => ({
  payment_terms: { type: 'balloon', frequency: 'monthly', amount: 500, last_payment_amount: 900, ...more },
});
const account = (value: string) => ({
  creditor: { ...CREDITOR, account_identifier: { type: 'bban', value } },
});
const debtor = (value: string) => ({
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value } },
});

test.each([
  ['over max_amount', {}, { amount: 25_001 }, 'ZPPAY12'],
  ['not the fixed amount', fixed(), { amount: 501 }, 'ZPPAY15'],
  ['of a balloon, not the fixed amount', balloon(), { amount: 501, last_payment: false }, 'ZPPAY15'],
  ['of a balloon, the last, not its amount', balloon(), { amount: 500, last_payment: true }, 'ZPPAY19'],
  [
    'of a balloon, the first, not its amount',
    balloon({ first_payment_amount: 700 }),
    { amount: 500, last_payment: false },
    'ZPPAY18',
  ],
  ['without a creditor', { creditor: null }, {}, 'ZPPAY11'],
  ['to another creditor', {}, { creditor: { ...CREDITOR, party_name: 'Else' } }, 'ZPPAY04'],
  ['to another ultimate one', {}, { creditor: { ...CREDITOR, ultimate_party_name: 'Else' } }, 'ZPPAY05'],
  ['to another account', {}, account('200002-55550002'), 'ZPPAY06'],
  [
    'to an account of another type',
    {},
    { creditor: { ...CREDITOR, account_identifier: { type: 'alias_abn', value: '53004085616' } } },
    'ZPPAY06',
  ],
  ['to a number of zeroes', { creditor: null }, account('200002-0000'), 'ZPUNP03'],
  ['to a reserved number', { creditor: null }, account('200002-9999'), 'ZPUNP04'],
  ['to an unknown branch', { creditor: null }, account('100000-1234'), 'ZPUNP05'],
  ['to where real-time funds cannot go', { creditor: null }, account('100002-1234'), 'ZPUNP02'],
  ['of a balloon without the flag', balloon(), { amount: 500 }, 'ZPPAY09'],
  ['with the flag where it does not belong', {}, { last_payment: false }, 'ZPPAY10'],
  ['of a debtor of its own', {}, { debtor: { party_name: 'A Payer' } }, 'ZPPAY25'],
  ['from an institution that is offline', debtor('100003-1234'), {}, 'ZPPAY24'],
  ['to an institution that is offline', { creditor: null }, account('100003-1234'), 'ZPPAY24'],
])('a payment %s is refused', async (_, terms, overrides, code) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world, terms), overrides);
  expect(codesOf(answer)).toEqual([422, code]);
  expect(world.control.state().payments).toEqual([]);
});

test.each([
  ['up to max_amount', {}, { amount: 25_000 }],
  [
    'without a maximum',
    { payment_terms: { type: 'usage_based', frequency: 'adhoc' } },
    { amount: 1_000_000_000 },
  ],
  ['of the fixed amount', fixed(), { amount: 500 }],
  ['of a balloon, the last one', balloon(), { amount: 900, last_payment: true }],
  ['of a balloon, the first', balloon({ first_payment_amount: 700 }), { amount: 700, last_payment: false }],
  [
    'of a balloon, first and last, of the last amount',
    balloon({ first_payment_amount: 700 }),
    { amount: 900, last_payment: true },
  ],
  ['to a creditor of its own', { creditor: null }, { creditor: CREDITOR }],
  ['to the creditor of the agreement, repeated', {}, { creditor: CREDITOR }],
  ['without the ultimate creditor', {}, { creditor: { ...CREDITOR, ultimate_party_name: null } }],
])('a payment %s is taken', async (_, terms, overrides) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world, terms), overrides);
  expect(codesOf(answer)).toEqual([201]);
});

test('an agreement nobody knows is ZPPAY22', async () => {
  const world = await aWorld();
  expect(codesOf((await pay(world, 'none')).answer)).toEqual([422, 'ZPPAY22']);
});

test('an agreement that waits, is paused or has ended is ZPPAY03', async () => {
  const world = await aWorld();
  const waiting = await anIgnoredAgreement(world);
  expect(codesOf((await pay(world, waiting)).answer)).toEqual([422, 'ZPPAY03']);
  const uid = await anActiveAgreement(world);
  for (const action of ['suspend', 'cancel'] as const) {
    world.control.actAsPayer(uid, action);
    expect(codesOf((await pay(world, uid)).answer)).toEqual([422, 'ZPPAY03']);
  }
});

test('who may name the debtor names its ultimate party, and no other payer (ZPPAY23)', async () => {
  const world = await aWorld();
  world.control.setOrganisation({ custom_debtor: true });
  const agreementUid = await anActiveAgreement(world);
  const other = await pay(world, agreementUid, { debtor: { party_name: 'Else' } });
  expect(codesOf(other.answer)).toEqual([422, 'ZPPAY23']);
  const debtor = { party_name: 'A Payer', ultimate_party_name: 'Their Company' };
  const { answer } = await pay(world, agreementUid, { debtor });
  expect(answer.data['debtor']).toMatchObject(debtor);
});

test('the limit of one payment holds to the cent (ZPPAY02)', async () => {
  const world = await aWorld();
  world.control.setLimits({ payment_cents: 1000 });
  const agreementUid = await anActiveAgreement(world, ADHOC);
  expect(codesOf((await pay(world, agreementUid, { amount: 1001 })).answer)).toEqual([422, 'ZPPAY02']);
  expect(codesOf((await pay(world, agreementUid, { amount: 1000 })).answer)).toEqual([201]);
});

test('the limit of a day holds over all agreements, and what failed frees it (ZPPAY01)', async () => {
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

test('validity holds from its first day to its last (ZPPAY08, ZPPAY07)', async () => {
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

test('a first payment of a fixed amount is due on its day alone (ZPPAY14)', async () => {
  const world = await aWorldAtNoon();
  const first_payment_date = plusDays(today(world), 1);
  const [early, late, failing] = await Promise.all(
    [1, 2, 3].map(() => anActiveAgreement(world, fixed({ first_payment_date, count: 2 }))),
  );
  const payOn = async (it: typeof world, uid = '', sandbox = {}) =>
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

test('the first amount is due until a payment has it that has not failed (ZPPAY18)', async () => {
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

test('a variable payment waits for the first day, not for that day alone (ZPPAY16)', async () => {
  const world = await aWorldAtNoon();
  const terms = { ...ADHOC.payment_terms, first_payment_date: plusDays(today(world), 1) };
  const uid = await anActiveAgreement(world, { payment_terms: terms });
  expect(codesOf((await pay(world, uid)).answer)).toEqual([422, 'ZPPAY16']);
  expect(codesOf((await pay(await later(world, 2 * DAY_SECONDS), uid)).answer)).toEqual([201]);
});

test('no payment comes after the last day (ZPPAY13)', async () => {
  const world = await aWorldAtNoon();
  const terms = { ...ADHOC.payment_terms, last_payment_date: plusDays(today(world), 1) };
  const uid = await anActiveAgreement(world, { payment_terms: terms });
  const lastDay = await later(world, DAY_SECONDS);
  expect(codesOf((await pay(lastDay, uid)).answer)).toEqual([201]);
  expect(codesOf((await pay(await later(lastDay, DAY_SECONDS), uid)).answer)).toEqual([422, 'ZPPAY13']);
});

test('the last balloon payment is due on its day, and nothing follows it (ZPPAY20, ZPPAY21)', async () => {
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
