// A failed payment can be retried while its agreement, its period, its refund and the limit of submissions allow it.
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

/** 202, or the code of the refusal. */
const retry = async ({ caller }: World, uid: string, body: object = {}): Promise<unknown> =>
  codesOf(await caller.post(`/payto/payments/${uid}/retry`, body)).at(-1);

async function aFailedPayment(world: World, terms: object = ADHOC, overrides: object = {}): Promise<string> {
  return anEndedPayment(world, await anActiveAgreement(world, terms), { ...FAILS, ...overrides });
}

test('only a retryable failed payment of an active agreement can be retried (ZPPRY00)', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, ADHOC);
  for (const sandbox of [
    { simulate: 'auto_settle' },
    { simulate: 'auto_settle', delay: 60 },
    { simulate: 'requires_investigation' },
    { simulate: 'debtor_account_closed' },
  ])
    expect(await retry(world, await anEndedPayment(world, uid, { sandbox }))).toBe('ZPPRY00');
  const failed = await anEndedPayment(world, uid, FAILS);
  world.control.actAsPayer(uid, 'suspend');
  expect(await retry(world, failed)).toBe('ZPPRY00');
  world.control.actAsPayer(uid, 'reactivate');
  expect([await retry(world, failed), await retry(world, failed)]).toEqual([202, 'ZPPRY00']);
});

test('a payment replaced in its period cannot be retried (ZPPRY00)', async () => {
  const world = await aWorldAtNoon();
  const payment_terms = { type: 'variable', frequency: 'monthly', count: 1 };
  const agreementUid = await anActiveAgreement(world, { payment_terms });
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  await anEndedPayment(world, agreementUid);
  expect(await retry(await later(world, 40 * DAY_SECONDS), uid)).toBe('ZPPRY00');
});

test('a retry in a later period counts towards the original period', async () => {
  const world = await aWorldAtNoon();
  const payment_terms = { type: 'variable', frequency: 'weekly', count: 1 };
  const agreementUid = await anActiveAgreement(world, { payment_terms });
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  const nextWeek = await later(world, 7 * DAY_SECONDS);
  expect(await retry(nextWeek, uid)).toBe(202);
  await nextWeek.control.advance(1);
  const next = await anEndedPayment(nextWeek, agreementUid);
  expect(await paymentOf(nextWeek, next)).toMatchObject({ state: 'settled' });
});

test('five submissions in 24 hours are allowed, then ZPPRY03 states the next time', async () => {
  let world = await aWorld();
  const uid = await aFailedPayment(world);
  const { created_at } = await paymentOf(world, uid);
  const nextMs = Date.parse(String(created_at)) + DAY_SECONDS * 1000;
  for (let retries = 1; retries <= 4; retries += 1) {
    world = await later(world, 3600);
    expect(await retry(world, uid, FAILS)).toBe(202);
    await world.control.advance(1);
  }
  const refused = await world.caller.post(`/payto/payments/${uid}/retry`, {});
  expect(codesOf(refused)).toEqual([422, 'ZPPRY03']);
  expect(refused.errors[0]?.detail).toContain(new Date(nextMs).toISOString());
  world = await later(world, (nextMs - nowMs(world)) / 1000 - 5);
  expect(await retry(world, uid)).toBe('ZPPRY03');
  world = await later(world, 5);
  expect(await retry(world, uid, FAILS)).toBe(202);
  await world.control.advance(1);
  expect(await retry(world, uid)).toBe('ZPPRY03');
});

test('a retry may change the creditor by the rules of a new payment', async () => {
  const world = await aWorld();
  const uid = await aFailedPayment(world, { ...ADHOC, creditor: null }, { creditor: CREDITOR });
  const account = (value: string) => ({ ...CREDITOR, account_identifier: { type: 'bban', value } });
  const moved = account('200002-66660001');
  expect(await retry(world, uid, { creditor: account('100000-66660001') })).toBe('ZPUNP05');
  expect(await retry(world, uid, { creditor: moved })).toBe(202);
  const { account_identifier } = moved;
  expect((await paymentOf(world, uid))['creditor']).toMatchObject({ account_identifier });
  const bound = await aFailedPayment(world);
  expect(await retry(world, bound, { creditor: { ...CREDITOR, party_name: 'Else' } })).toBe('ZPPAY04');
  expect(await retry(world, bound, { creditor: moved })).toBe('ZPPAY06');
  expect(await retry(world, bound, { creditor: CREDITOR })).toBe(202);
});

async function aFailedRefundPayment(world: World) {
  const original = await aSettledPayment(world, { amount: 1000 });
  world.control.scriptPayment('pay-back', { simulate: 'FF10' });
  const by = { type: 'pay_to_payment', float_bank_account_id: undefined, uid: 'pay-back', amount: 600 };
  const refund = aRefund(original, {}, { ...by, agreement_uid: await aPayoutAgreement(world) });
  await world.caller.post('/payto/refunds', refund);
  await world.control.advance(1);
  return { original, uid: refund.uid };
}

test('a refund payment cannot change its creditor (ZPPRY05), and the refund follows it', async () => {
  const world = await aWorld();
  const { uid } = await aFailedRefundPayment(world);
  const stateOf = async () => (await world.caller.get(`/payto/refunds/${uid}`)).data.state;
  expect(await stateOf()).toBe('failed');
  expect(await retry(world, 'pay-back', { creditor: CREDITOR })).toBe('ZPPRY05');
  world.control.scriptPayment('pay-back', { simulate: 'auto_settle', delay: 60 });
  expect(await retry(world, 'pay-back')).toBe(202);
  await world.control.advance(30);
  expect(await stateOf()).toBe('processing');
  await world.control.advance(40);
  expect(await stateOf()).toBe('processed');
});

test('a refund payment cannot be retried after another refund of the amount (ZPREF06)', async () => {
  const world = await aWorld();
  const { original } = await aFailedRefundPayment(world);
  const other = await world.caller.post('/payto/refunds', aRefund(original, {}, { amount: 500 }));
  expect(other.status).toBe(201);
  expect(await retry(world, 'pay-back')).toBe('ZPREF06');
});
