import { expect, test } from 'vitest';
import {
  agreementOf,
  anAgreementIn,
  aRegisteredAccount,
  SITUATIONS,
  verdict,
  amend,
  amendmentOf,
  NEW_TERMS,
  NEW_TEXT,
} from '../../support/sandbox/agreements.js';
import { dayFromNow } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aSharedWorld, aWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const bban = (value: string) => ({ account_identifier: { type: 'bban', value } });

const STANDING = {
  validity_start_date: dayFromNow(3),
  validity_end_date: dayFromNow(365),
  payment_terms: {
    type: 'variable',
    frequency: 'monthly',
    max_amount: 25_000,
    first_payment_date: dayFromNow(30),
    last_payment_date: dayFromNow(300),
  },
};

test.each(SITUATIONS)('an agreement %s can be amended only when active or suspended', async (situation) => {
  const world = theWorld();
  const uid = await anAgreementIn(world, situation);
  const stands = situation === 'active' || situation.startsWith('suspended');
  expect(verdict(await amend(world, uid, NEW_TERMS))).toBe(stands ? 202 : 'ZPAMN00');
});

test.each([
  [{}, {}, 'ZPAMN02'],
  [{ payment_terms: {} }, {}, 'ZPAMN02'],
  [{ creditor: {} }, {}, 'ZPAMN02'],
  [{ description: 'Plan 77' }, {}, 'ZPAMN03'],
  [{ payment_terms: { max_amount: 25_000, amount: null } }, {}, 'ZPAMN03'],
  [{ creditor: { ...bban('200002-55550001') } }, {}, 'ZPAMN03'],
  [{ validity_start_date: dayFromNow(5) }, {}, 'ZPAGR05'],
  [{ validity_start_date: null }, {}, 'ZPAGR05'],
  [NEW_TEXT, { resolution_requested_before: inDays(-1) }, 'ZPAMN07'],
  [NEW_TEXT, { resolution_requested_before: inDays(5.1) }, 'ZPAMN06'],
  [NEW_TEXT, { resolution_requested_before: inDays(4.9) }, 202],
  [{ validity_end_date: dayFromNow(-3) }, {}, 'ZPAGR06'],
  [{ validity_end_date: dayFromNow(60) }, {}, 'ZPAGR08'],
  [{ payment_terms: { first_payment_date: dayFromNow(-3) } }, {}, 'ZPAGR07'],
  [{ payment_terms: { last_payment_date: dayFromNow(-3) } }, {}, 'ZPAGR10'],
  [{ payment_terms: { last_payment_date: dayFromNow(20) } }, {}, 'ZPAGR11'],
  [{ payment_terms: { last_payment_date: dayFromNow(400) } }, {}, 'ZPAGR08'],
  [{ payment_terms: { type: 'fixed' } }, {}, 'ZPUNP00'],
  [{ payment_terms: { amount: 500 } }, {}, 'ZPUNP00'],
  [{ payment_terms: { first_payment_amount: 500 } }, {}, 'ZPUNP00'],
  [{ payment_terms: { type: 'fixed', amount: 500, max_amount: null } }, {}, 202],
  [{ payment_terms: { type: null } }, {}, 'ZPUNP00'],
  [{ payment_terms: { count: 0 } }, {}, 'ZPUNP00'],
  [{ description: '' }, {}, 'ZPUNP00'],
  [{ description: null }, {}, 'ZPUNP00'],
  [{ creditor: { ultimate_party_name: null } }, {}, 'ZPUNP00'],
  [{ creditor: bban('200002-000') }, {}, 'ZPUNP03'],
  [{ creditor: bban('200002-999') }, {}, 'ZPUNP04'],
  [{ creditor: bban('100000-5') }, {}, 'ZPUNP05'],
  [{ creditor: bban('100002-5') }, {}, 'ZPUNP02'],
  [{ debtor: bban('200001-5') }, {}, 400],
  [{ purpose: 'tax' }, {}, 400],
  [{ payment_terms: { ceiling: 5 } }, {}, 400],
  [NEW_TEXT, { cancel_if_unresolved: true }, 400],
  [NEW_TEXT, { sandbox: { simulate: 'ignore' } }, 'ZPUNP00'],
  [NEW_TEXT, { sandbox: { simulate: 'amendment_failed' } }, 'ZPUNP00'],
])('%o with %o: %s', async (changes, rest, expected) => {
  const world = theWorld();
  const uid = await anActiveAgreement(world, STANDING);
  const before = await agreementOf(world, uid);
  expect(verdict(await amend(world, uid, changes, rest))).toBe(expected);
  if (expected === 202) return;
  await world.control.advance(1);
  expect(await agreementOf(world, uid)).toEqual(before);
  expect((await amendmentOf(world, uid)).status).toBe(404);
});

test('an agreement that has begun is not refused for days that are not amended', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, STANDING);
  await world.control.advance(40 * 86_400);
  const caller = await world.newCaller();
  expect(verdict(await amend({ caller }, uid, NEW_TERMS))).toBe(202);
});

test('a creditor amended to a registered account has its account, until it is given another', async () => {
  const world = theWorld();
  const uid = await anActiveAgreement(world);
  const payment_account_uid = await aRegisteredAccount(world, '200002-42');
  const mismatched = { creditor: { payment_account_uid, ...bban('200002-43') } };
  expect(verdict(await amend(world, uid, mismatched))).toBe('ZPUNP00');
  await amend(world, uid, { creditor: { payment_account_uid } });
  await world.control.advance(1);
  const creditor = { party_name: 'B Biller', ultimate_party_name: 'B Biller' };
  const registered = { ...creditor, ...bban('200002-42'), payment_account_uid };
  expect((await agreementOf(world, uid))['creditor']).toEqual(registered);
  await amend(world, uid, { creditor: bban('200002-44') });
  await world.control.advance(1);
  expect((await agreementOf(world, uid))['creditor']).toEqual({ ...creditor, ...bban('200002-44') });
});
