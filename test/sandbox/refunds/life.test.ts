// A refund moves money of the float account or is a payment to the payer, within the amount of its payment and the balance.
import { expect, test } from 'vitest';
import type { Answer } from '../../support/sandbox/caller.js';
import {
  ADHOC,
  anEndedPayment,
  aPayoutAgreement,
  aRefund,
  aSettledPayment,
  codesOf,
  CREDITOR,
  FLOAT_ID,
  paymentOf,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const refundOf = async ({ caller }: World, uid: string): Promise<Answer['data']> =>
  (await caller.get(`/payto/refunds/${uid}`)).data;
const balanceOf = async ({ caller }: World): Promise<unknown> =>
  (await caller.get(`/bank_accounts/${FLOAT_ID}`)).data['available_balance'];
const statesOf = ({ control }: World, uid: string): (string | null)[] =>
  control.ledger().flatMap((it) => (it.kind === 'change' && it.resource_uid === uid ? [it.to] : []));
const send = ({ caller }: World, request: object): Promise<Answer> => caller.post('/payto/refunds', request);

test.each([
  ['creditor_alias_not_found', 'ZPUNP08'],
  ['creditor_account_closed', 'AC07'],
])('%s fails a refund of the float account with %s and returns the money', async (simulate, code) => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  const request = aRefund(original, { sandbox: { simulate, delay: 60 } }, { amount: 300 });
  await send(world, request);
  await world.control.advance(55);
  expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processing', failure: null });
  expect(await balanceOf(world)).toBe(700);
  await world.control.advance(10);
  const refund = await refundOf(world, request.uid);
  expect(refund).toMatchObject({ state: 'failed', failure: { code } });
  expect(world.receiver.received.at(-1)?.envelope.data).toMatchObject({
    ...{ type: 'payto_refund.failed', resource_uid: request.uid },
    body: { failure: refund['failure'] },
  });
  const { list } = await world.caller.get(`/bank_accounts/${FLOAT_ID}/entries`);
  expect(list.map(({ amount, description }) => [amount, description])).toEqual([
    [300, `Reversal of refund ${request.uid}`],
    [-300, `Refund ${request.uid}: REFUND part`],
    [1000, `PayTo payment ${original}`],
  ]);
  expect(statesOf(world, FLOAT_ID)).toEqual(['1000', '700', '1000']);
});

const BY_PAYTO = { type: 'pay_to_payment', float_bank_account_id: undefined, uid: 'pay-back' };

async function aPayToRefund(world: World, overrides: object = {}) {
  const original = await aSettledPayment(world, { amount: 1000 });
  const agreement_uid = await aPayoutAgreement(world);
  const request = aRefund(original, overrides, { ...BY_PAYTO, agreement_uid, amount: 250 });
  return { agreement_uid, request, answer: await send(world, request) };
}

test('a PayTo refund is a payment to the payer and has its outcome', async () => {
  const world = await aWorld();
  const { agreement_uid, request, answer } = await aPayToRefund(world);
  expect(answer).toMatchObject({ status: 201, data: { refund_payment: { uid: 'pay-back', agreement_uid } } });
  expect(await paymentOf(world, 'pay-back')).toMatchObject({
    ...{ agreement_uid, amount: 250, description: 'REFUND part', source_payto_refund_uid: request.uid },
    creditor: { name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
    debtor: { party_name: 'B Biller' },
    links: { source_refund: `${world.url}/payto/refunds/${request.uid}` },
  });
  await world.control.advance(1);
  expect(await paymentOf(world, 'pay-back')).toMatchObject({ state: 'settled' });
  expect(statesOf(world, request.uid)).toEqual(['created', 'processing', 'processed']);
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.settled', 'payto_refund.processed']);
  expect(await balanceOf(world)).toBe(1000);
});

test.each([
  ['creditor_account_closed', 'AC07'],
  ['creditor_alias_not_found', 'ZPUNP08'],
])('%s fails the PayTo payment and its refund with %s', async (simulate, code) => {
  const world = await aWorld();
  const { request } = await aPayToRefund(world, { sandbox: { simulate } });
  await world.control.advance(1);
  expect(await paymentOf(world, 'pay-back')).toMatchObject({ state: 'failed', failure: { code } });
  const { state, failure } = await refundOf(world, request.uid);
  expect([state, failure]).toEqual(['failed', expect.objectContaining({ code })]);
  expect(failure).not.toHaveProperty('retryable');
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.failed', 'payto_refund.failed']);
});

test('a PayTo refund is processing until its payment has an outcome', async () => {
  const world = await aWorld();
  world.control.scriptPayment('pay-back', { simulate: 'pending_then_investigate', delay: 60 });
  const { request } = await aPayToRefund(world);
  for (const state of ['submitting', 'pending', 'under_investigation']) {
    await world.control.advance(state === 'submitting' ? 1 : 60);
    expect(await paymentOf(world, 'pay-back')).toMatchObject({ state });
    expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processing' });
  }
  world.control.resolvePayment('pay-back', 'settled');
  expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processed' });
});

test('partial refunds are limited to the amount of the payment (ZPREF06)', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  await aSettledPayment(world, { amount: 5000 });
  const of = async (amount: number, more: object = {}) =>
    codesOf(await send(world, aRefund(original, more, { amount }))).at(-1);
  const failing = { sandbox: { simulate: 'creditor_account_closed', delay: 60 } };
  expect([await of(1001), await of(400), await of(601)]).toEqual(['ZPREF06', 201, 'ZPREF06']);
  expect([await of(600, failing), await of(1)]).toEqual([201, 'ZPREF06']);
  await world.control.advance(61);
  expect([await of(600), await of(1)]).toEqual([201, 'ZPREF06']);
});

test('a refund above the available float balance is refused (ZPREF07)', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  world.control.patchFloatAccount(FLOAT_ID, { available_balance: 500 });
  const sandbox = { simulate: 'success', delay: 60 };
  const codes: unknown[] = [];
  for (const amount of [501, 300, 201, 200])
    codes.push(codesOf(await send(world, aRefund(original, { sandbox }, { amount }))).at(-1));
  expect(codes).toEqual(['ZPREF07', 201, 'ZPREF07', 201]);
});

test.each([
  ['an unknown agreement', { agreement_uid: 'none' }, 'ZPPAY22'],
  ['a uid in use', { uid: 'pay-original' }, 'ZPPAY00'],
  ['an amount over the agreement’s maximum', { amount: 30_000 }, 'ZPPAY12'],
  ['an agreement with another payee', { agreement_uid: 'agr-other' }, 'ZPPAY04'],
])('a PayTo refund with %s is refused without effect', async (_, payment, code) => {
  const world = await aWorld();
  const payment_terms = { type: 'variable', frequency: 'adhoc' };
  const collecting = await anActiveAgreement(world, { payment_terms });
  await anActiveAgreement(world, { ...ADHOC, creditor: CREDITOR, uid: 'agr-other' });
  await anEndedPayment(world, collecting, { uid: 'pay-original', amount: 40_000 });
  const agreement_uid = await aPayoutAgreement(world);
  const request = aRefund('pay-original', {}, { ...BY_PAYTO, agreement_uid, ...payment });
  expect(codesOf(await send(world, request))).toEqual([422, code]);
  expect((await world.caller.get('/payto/refunds')).list).toEqual([]);
  expect((await world.caller.get('/payto/payments')).list).toHaveLength(1);
});
