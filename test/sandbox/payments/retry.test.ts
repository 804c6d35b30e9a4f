import { expect, test } from 'vitest';
import {
  ADHOC,
  anEndedPayment,
  aPayoutAgreement,
  aRefund,
  aSettledPayment,
  aWorldAtNoon,
  codesOf,
  CREDITOR,
  DAY_SECONDS,
  later,
  nowMs,
  paymentOf,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const FAILS = { sandbox: { simulate: 'insufficient_funds' } };
const HOUR_SECONDS = 60 * 60;

const retry = async ({ caller }: World, uid: string, body: object = {}): Promise<unknown[]> =>
  codesOf(await caller.post(`/payto/payments/${uid}/retry`, body));

async function aFailedPayment(world: World, terms: object = ADHOC, overrides: object = {}): Promise<string> {
  return anEndedPayment(world, await anActiveAgreement(world, terms), { ...FAILS, ...overrides });
}

test('only a retryable failed payment can be retried (ZPPRY00)', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, ADHOC);
  const settled = await anEndedPayment(world, uid);
  const unfinished = await anEndedPayment(world, uid, { sandbox: { simulate: 'auto_settle', delay: 60 } });
  const open = await anEndedPayment(world, uid, { sandbox: { simulate: 'requires_investigation' } });
  const final = await anEndedPayment(world, uid, { sandbox: { simulate: 'debtor_account_closed' } });
  for (const it of [settled, unfinished, open, final])
    expect(await retry(world, it)).toEqual([422, 'ZPPRY00']);
  const failed = await anEndedPayment(world, uid, FAILS);
  expect(await retry(world, failed)).toEqual([202]);
  expect(await retry(world, failed)).toEqual([422, 'ZPPRY00']);
});

test('a retry is refused while the agreement is not active (ZPPRY00)', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  world.control.actAsPayer(agreementUid, 'suspend');
  expect(await retry(world, uid)).toEqual([422, 'ZPPRY00']);
  world.control.actAsPayer(agreementUid, 'reactivate');
  expect(await retry(world, uid)).toEqual([202]);
});

test('a payment replaced in its period cannot be retried (ZPPRY00)', async () => {
  const world = await aWorldAtNoon();
  const terms = { payment_terms: { type: 'variable', frequency: 'monthly', count: 1 } };
  const agreementUid = await anActiveAgreement(world, terms);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  await anEndedPayment(world, agreementUid);
  const nextMonth = await later(world, 40 * DAY_SECONDS);
  expect(await retry(nextMonth, uid)).toEqual([422, 'ZPPRY00']);
});

test('a retry in a later period counts towards the original period', async () => {
  const world = await aWorldAtNoon();
  const terms = { payment_terms: { type: 'variable', frequency: 'weekly', count: 1 } };
  const agreementUid = await anActiveAgreement(world, terms);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  const nextWeek = await later(world, 7 * DAY_SECONDS);
  expect(await retry(nextWeek, uid)).toEqual([202]);
  await nextWeek.control.advance(1);
  expect(await paymentOf(nextWeek, await anEndedPayment(nextWeek, agreementUid))).toMatchObject({
    state: 'settled',
  });
});

test('five submissions in 24 hours are allowed, then ZPPRY03 states the next time', async () => {
  const world = await aWorld();
  const uid = await aFailedPayment(world);
  const { created_at } = await paymentOf(world, uid);
  const nextMs = Date.parse(String(created_at)) + DAY_SECONDS * 1000;
  let now = world;
  for (let retries = 1; retries <= 4; retries += 1) {
    now = await later(now, HOUR_SECONDS);
    expect(await retry(now, uid, FAILS)).toEqual([202]);
    await now.control.advance(1);
  }
  const refused = await now.caller.post(`/payto/payments/${uid}/retry`, {});
  expect(codesOf(refused)).toEqual([422, 'ZPPRY03']);
  expect(refused.errors[0]?.detail).toContain(new Date(nextMs).toISOString());
  now = await later(now, (nextMs - nowMs(now)) / 1000 - 5);
  expect(await retry(now, uid)).toEqual([422, 'ZPPRY03']);
  now = await later(now, 5);
  expect(await retry(now, uid, FAILS)).toEqual([202]);
  await now.control.advance(1);
  expect(await retry(now, uid)).toEqual([422, 'ZPPRY03']);
});

test('a retry may change the creditor by the rules of a new payment', async () => {
  const world = await aWorld();
  const uid = await aFailedPayment(world, { ...ADHOC, creditor: null }, { creditor: CREDITOR });
  const moved = { ...CREDITOR, account_identifier: { type: 'bban', value: '200002-66660001' } };
  const nowhere = { ...CREDITOR, account_identifier: { type: 'bban', value: '100000-66660001' } };
  expect(await retry(world, uid, { creditor: nowhere })).toEqual([422, 'ZPUNP05']);
  expect(await retry(world, uid, { creditor: moved })).toEqual([202]);
  expect((await paymentOf(world, uid))['creditor']).toMatchObject({
    account_identifier: moved.account_identifier,
  });
  const bound = await aFailedPayment(world);
  expect(await retry(world, bound, { creditor: { ...CREDITOR, party_name: 'Else' } })).toEqual([
    422,
    'ZPPAY04',
  ]);
  expect(await retry(world, bound, { creditor: moved })).toEqual([422, 'ZPPAY06']);
  expect(await retry(world, bound, { creditor: CREDITOR })).toEqual([202]);
});

const paidBack = (original: string, agreement_uid: string, paid: object = {}) =>
  aRefund(
    original,
    {},
    { type: 'pay_to_payment', float_bank_account_id: undefined, agreement_uid, uid: 'pay-back', ...paid },
  );

test('a refund payment cannot change its creditor (ZPPRY05), and the refund follows it', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world);
  world.control.scriptPayment('pay-back', { simulate: 'FF10' });
  const agreement_uid = await aPayoutAgreement(world);
  const refund = paidBack(original, agreement_uid);
  await world.caller.post('/payto/refunds', refund);
  await world.control.advance(1);
  const stateOf = async () => (await world.caller.get(`/payto/refunds/${refund.uid}`)).data.state;
  expect(await stateOf()).toBe('failed');
  expect(await retry(world, 'pay-back', { creditor: CREDITOR })).toEqual([422, 'ZPPRY05']);
  world.control.scriptPayment('pay-back', { simulate: 'auto_settle', delay: 60 });
  expect(await retry(world, 'pay-back')).toEqual([202]);
  await world.control.advance(30);
  expect(await stateOf()).toBe('processing');
  await world.control.advance(40);
  expect(await stateOf()).toBe('processed');
});

test('a refund payment cannot be retried after another refund of the amount (ZPREF06)', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  world.control.scriptPayment('pay-back', { simulate: 'FF10' });
  const agreement_uid = await aPayoutAgreement(world);
  const refund = paidBack(original, agreement_uid, { amount: 600 });
  await world.caller.post('/payto/refunds', refund);
  await world.control.advance(1);
  expect((await world.caller.post('/payto/refunds', aRefund(original, {}, { amount: 500 }))).status).toBe(
    201,
  );
  expect(await retry(world, 'pay-back')).toEqual([422, 'ZPREF06']);
});
