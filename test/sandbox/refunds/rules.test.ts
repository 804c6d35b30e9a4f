// Every rule for a new refund (ZPREF00-12), and the ZPPAY rules that one paid by PayTo has to keep as well.
import { expect, test } from 'vitest';
import {
  ADHOC,
  anEndedPayment,
  aPayoutAgreement,
  aRefund,
  aSettledPayment,
  codesOf,
  CREDITOR,
  FLOAT_ID,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const refund = async ({ caller }: World, request: object): Promise<unknown[]> =>
  codesOf(await caller.post('/payto/refunds', request));
const BY_PAYTO = { type: 'pay_to_payment', float_bank_account_id: undefined };

test('the same uid again is ZPREF00, and nothing moves twice', async () => {
  const world = await aWorld();
  const request = aRefund(await aSettledPayment(world, { amount: 1000 }));
  expect(await refund(world, request)).toEqual([201]);
  expect(await refund(world, request)).toEqual([422, 'ZPREF00']);
  expect((await world.caller.get(`/bank_accounts/${FLOAT_ID}`)).data['available_balance']).toBe(900);
});

test('a payment nobody knows is ZPREF01', async () => {
  expect(await refund(await aWorld(), aRefund('none'))).toEqual([422, 'ZPREF01']);
});

test('only what has settled is refundable (ZPREF02)', async () => {
  const world = await aWorld();
  world.control.patchFloatAccount(FLOAT_ID, { available_balance: 10_000 });
  const agreementUid = await anActiveAgreement(world, ADHOC);
  for (const sandbox of [
    { simulate: 'insufficient_funds' },
    { simulate: 'requires_investigation' },
    { delay: 9 },
  ]) {
    const uid = await anEndedPayment(world, agreementUid, { sandbox });
    expect(await refund(world, aRefund(uid))).toEqual([422, 'ZPREF02']);
  }
});

test.each([
  ['unknown', undefined, { float_bank_account_id: '00000000-0000-7000-8000-000000000000' }, 'ZPREF03'],
  ['removed', { status: 'removed' }, {}, 'ZPREF04'],
  ['not real-time', { real_time: false }, {}, 'ZPREF05'],
] as const)('a float account that is %s is refused', async (_, patch, payment, code) => {
  const world = await aWorld();
  const original = await aSettledPayment(world);
  if (patch !== undefined) world.control.patchFloatAccount(FLOAT_ID, patch);
  expect(await refund(world, aRefund(original, {}, payment))).toEqual([422, code]);
});

test('partial refunds go up to the payment, to the cent (ZPREF06); a failed one does not count', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  await aSettledPayment(world, { amount: 5000 });
  const of = (amount: number, more: object = {}) => refund(world, aRefund(original, more, { amount }));
  expect(await of(1001)).toEqual([422, 'ZPREF06']);
  expect(await of(400)).toEqual([201]);
  expect(await of(601)).toEqual([422, 'ZPREF06']);
  expect(await of(600, { sandbox: { simulate: 'creditor_account_closed', delay: 60 } })).toEqual([201]);
  expect(await of(1)).toEqual([422, 'ZPREF06']);
  await world.control.advance(61);
  expect(await of(600)).toEqual([201]);
  expect(await of(1)).toEqual([422, 'ZPREF06']);
});

test('what the float account lacks is refused, also what a refund under way has taken (ZPREF07)', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  world.control.patchFloatAccount(FLOAT_ID, { available_balance: 500 });
  const of = (amount: number) => refund(world, aRefund(original, { sandbox: { delay: 60 } }, { amount }));
  expect(await of(501)).toEqual([422, 'ZPREF07']);
  expect(await of(300)).toEqual([201]);
  expect(await of(201)).toEqual([422, 'ZPREF07']);
  expect(await of(200)).toEqual([201]);
});

test('a refund is not refunded (ZPREF09)', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world);
  const agreement_uid = await aPayoutAgreement(world);
  await refund(world, aRefund(original, {}, { ...BY_PAYTO, agreement_uid, uid: 'pay-back' }));
  await world.control.advance(1);
  expect(await refund(world, aRefund('pay-back'))).toEqual([422, 'ZPREF09']);
});

test('a payer’s alias may have 140 characters (ZPREF10)', async () => {
  const world = await aWorld();
  for (const [length, codes] of [
    [140, [201]],
    [141, [422, 'ZPREF10']],
  ] as const) {
    const value = `${'x'.repeat(length - '@payer.example'.length)}@payer.example`;
    const debtor = { party_name: 'A Payer', account_identifier: { type: 'alias_email', value } };
    const original = await anEndedPayment(world, await anActiveAgreement(world, { debtor }));
    expect(await refund(world, aRefund(original))).toEqual(codes);
  }
});

test.each(['refund', 'A REFUND', ' REFUND'])('the description "%s" is ZPREF12', async (description) => {
  const world = await aWorld();
  const original = await aSettledPayment(world);
  expect(await refund(world, aRefund(original, {}, { description }))).toEqual([422, 'ZPREF12']);
  expect(await refund(world, aRefund(original, {}, { description: 'REFUND' }))).toEqual([201]);
});

test.each([
  ['an agreement nobody knows', { agreement_uid: 'none' }, 'ZPPAY22'],
  ['a uid that is taken', { uid: 'pay-original' }, 'ZPPAY00'],
  ['more than that agreement allows', { amount: 30_000 }, 'ZPPAY12'],
])('by PayTo, %s refuses the refund, and there is none', async (_, payment, code) => {
  const world = await aWorld();
  const collecting = await anActiveAgreement(world, {
    payment_terms: { type: 'variable', frequency: 'adhoc' },
  });
  await anEndedPayment(world, collecting, { uid: 'pay-original', amount: 40_000 });
  const agreement_uid = await aPayoutAgreement(world);
  const request = aRefund('pay-original', {}, { ...BY_PAYTO, agreement_uid, ...payment });
  expect(await refund(world, request)).toEqual([422, code]);
  expect((await world.caller.get('/payto/refunds')).list).toEqual([]);
  expect((await world.caller.get('/payto/payments')).list).toHaveLength(1);
});

test('by PayTo, an agreement that pays somebody else is refused', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world);
  const agreement_uid = await anActiveAgreement(world, { ...ADHOC, creditor: CREDITOR });
  const request = aRefund(original, {}, { ...BY_PAYTO, agreement_uid });
  expect(await refund(world, request)).toEqual([422, 'ZPPAY04']);
});

test.each([
  ['an unknown field', { surprise: 1 }, {}, [400, undefined]],
  ['an unknown field of the payment', {}, { surprise: 1 }, [400, undefined]],
  ['the fields of both types', {}, { agreement_uid: 'agr-1' }, [400, undefined]],
  ['a type nobody knows', {}, { type: 'cash' }, [422, 'ZPUNP00']],
  ['no amount', {}, { amount: undefined }, [422, 'ZPUNP00']],
  ['no description', {}, { description: undefined }, [422, 'ZPUNP00']],
  ['an account that is no UUID', {}, { float_bank_account_id: 'float' }, [422, 'ZPUNP00']],
  ['an undocumented script', { sandbox: { simulate: 'auto_settle' } }, {}, [422, 'ZPUNP00']],
])('%s is refused', async (_, overrides, payment, codes) => {
  const world = await aWorld();
  const request = aRefund(await aSettledPayment(world), overrides, payment);
  expect(await refund(world, request)).toEqual(codes);
});
