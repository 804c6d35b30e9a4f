// Trying a failed payment again: the same uid, its limits on the clock, and every reason not to (ZPPRY00-05).
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
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const FAILS = { sandbox: { simulate: 'insufficient_funds' } };
const HOUR_SECONDS = 60 * 60;

const retry = async ({ caller }: World, uid: string, body: object = {}): Promise<unknown[]> =>
  codesOf(await caller.post(`/payto/payments/${uid}/retry`, body));

async function aFailedPayment(world: World, terms: object = ADHOC, overrides: object = {}): Promise<string> {
  return anEndedPayment(world, await anActiveAgreement(world, terms), { ...FAILS, ...overrides });
}

test('a retry is 202 without a body; the same payment begins again and settles by default', async () => {
  const world = await aWorld();
  const uid = await aFailedPayment(world);
  const before = await paymentOf(world, uid);
  const body = { sandbox: { delay: 60 } };
  const answer = await world.caller.post(`/payto/payments/${uid}/retry`, body);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([202, null]);
  await world.control.advance(1);
  expect(await paymentOf(world, uid)).toEqual({ ...before, state: 'submitting', failure: null });
  await world.control.advance(60);
  expect(await paymentOf(world, uid)).toEqual({ ...before, state: 'settled', failure: null });
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.failed', 'payto_payment.settled']);
  const ids = world.receiver.received.map(({ envelope }) => envelope.data.id);
  expect(new Set(ids).size).toBe(ids.length);
  const moves = world.control.ledger(0, { resource_uid: uid, kind: 'change' });
  expect(moves.map((entry) => entry.kind === 'change' && entry.to)).toEqual([
    'created',
    'submitting',
    'failed',
    'created',
    'submitting',
    'settled',
  ]);
});

test('a retry goes along a script of its own', async () => {
  const world = await aWorld();
  const uid = await aFailedPayment(world);
  const sandbox = { simulate: 'investigate_and_fail', delay: 12 };
  expect(await retry(world, uid, { sandbox })).toEqual([202]);
  await world.control.advance(15);
  expect(await paymentOf(world, uid)).toMatchObject({ state: 'under_investigation' });
  await world.control.advance(15);
  expect(await paymentOf(world, uid)).toMatchObject({ state: 'failed', failure: { code: 'UKNWN' } });
});

test('the control route scripts all submissions to come, and can be set anew between them', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  world.control.scriptPayment('pay-r', { simulate: 'AM21' });
  await anEndedPayment(world, agreementUid, { uid: 'pay-r' });
  for (const [simulate, code] of [
    [undefined, 'AM21'],
    ['TD03', 'TD03'],
  ] as const) {
    if (simulate !== undefined) world.control.scriptPayment('pay-r', { simulate });
    expect(await retry(world, 'pay-r')).toEqual([202]);
    await world.control.advance(1);
    expect(await paymentOf(world, 'pay-r')).toMatchObject({ failure: { code } });
  }
});

test.each([
  ['surprise', { surprise: 1 }, [400, undefined]],
  ['uid', { uid: 'pay-2' }, [400, undefined]],
  ['a creditor without account', { creditor: { party_name: 'B Biller' } }, [422, 'ZPUNP00']],
  ['an undocumented script', { sandbox: { simulate: 'pending_then_fail' } }, [422, 'ZPUNP00']],
])('a body with %s is refused', async (_, body, codes) => {
  const world = await aWorld();
  const uid = await aFailedPayment(world);
  expect(await retry(world, uid, body)).toEqual(codes);
  expect(await paymentOf(world, uid)).toMatchObject({ state: 'failed' });
});

test('only what has failed, and may be tried again, is (ZPPRY00)', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, ADHOC);
  const settled = await anEndedPayment(world, uid);
  const unfinished = await anEndedPayment(world, uid, { sandbox: { delay: 60 } });
  const open = await anEndedPayment(world, uid, { sandbox: { simulate: 'requires_investigation' } });
  const final = await anEndedPayment(world, uid, { sandbox: { simulate: 'debtor_account_closed' } });
  for (const it of [settled, unfinished, open, final])
    expect(await retry(world, it)).toEqual([422, 'ZPPRY00']);
  const failed = await anEndedPayment(world, uid, FAILS);
  expect(await retry(world, failed)).toEqual([202]);
  expect(await retry(world, failed)).toEqual([422, 'ZPPRY00']);
});

test('an agreement that is not active stops retries until it is (ZPPRY00)', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  world.control.actAsPayer(agreementUid, 'suspend');
  expect(await retry(world, uid)).toEqual([422, 'ZPPRY00']);
  world.control.actAsPayer(agreementUid, 'reactivate');
  expect(await retry(world, uid)).toEqual([202]);
});

test('a payment that another has replaced in its period is not tried again (ZPPRY00)', async () => {
  const world = await aWorldAtNoon();
  const terms = { payment_terms: { type: 'variable', frequency: 'monthly', count: 1 } };
  const agreementUid = await anActiveAgreement(world, terms);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  await anEndedPayment(world, agreementUid);
  const nextMonth = await later(world, 40 * DAY_SECONDS);
  expect(await retry(nextMonth, uid)).toEqual([422, 'ZPPRY00']);
});

test('a payment tried again a period later uses up the period it was made for', async () => {
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

test('five submissions in 24 hours, the first included; then ZPPRY03 says from when, to the second', async () => {
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

test('ten retries in all, however far apart (ZPPRY01)', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  let now = world;
  for (let retries = 1; retries <= 10; retries += 1) {
    now = await later(now, DAY_SECONDS);
    // In between the payer pays: the scheme would suspend the agreement at seven failures in a row.
    await anEndedPayment(now, agreementUid);
    expect(await retry(now, uid, FAILS)).toEqual([202]);
    await now.control.advance(1);
  }
  expect(await retry(await later(now, DAY_SECONDS), uid)).toEqual([422, 'ZPPRY01']);
});

test('after validity it is ZPPRY02, and when waiting would end there ZPPRY04', async () => {
  const world = await aWorldAtNoon();
  const [lastDay, dayBefore] = await Promise.all(
    [0, 1].map((days) =>
      aFailedPayment(world, { ...ADHOC, validity_end_date: plusDays(today(world), days) }),
    ),
  );
  for (const uid of [lastDay, dayBefore]) {
    for (let retries = 1; retries <= 4; retries += 1) {
      expect(await retry(world, uid ?? '', FAILS)).toEqual([202]);
      await world.control.advance(1);
      if (retries === 2) await anEndedPayment(world, await anAgreementOf(world, uid ?? ''));
    }
  }
  expect(await retry(world, lastDay ?? '')).toEqual([422, 'ZPPRY04']);
  expect(await retry(world, dayBefore ?? '')).toEqual([422, 'ZPPRY03']);
  expect(await retry(await later(world, DAY_SECONDS), lastDay ?? '')).toEqual([422, 'ZPPRY02']);
});

const anAgreementOf = async (world: World, uid: string): Promise<string> =>
  String((await paymentOf(world, uid))['agreement_uid']);

test('a retry may name the creditor, by the rules of a new payment', async () => {
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

/** A refund by the payment `pay-back` under that agreement. */
const paidBack = (original: string, agreement_uid: string, paid: object = {}) =>
  aRefund(
    original,
    {},
    { type: 'pay_to_payment', float_bank_account_id: undefined, agreement_uid, uid: 'pay-back', ...paid },
  );

test('a refund payment keeps its creditor (ZPPRY05), and the refund follows its retry', async () => {
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

test('a refund payment is not tried again once the payment was refunded otherwise (ZPPRY00)', async () => {
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
  expect(await retry(world, 'pay-back')).toEqual([422, 'ZPPRY00']);
});
