// Refunds: both ways to pay them, their states, events and money, and how they read.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../../support/sandbox/caller.js';
import {
  aPayoutAgreement,
  aRefund,
  aSettledPayment,
  aWorldAtNoon,
  codesOf,
  DAY_SECONDS,
  FLOAT_ID,
  later,
  paymentOf,
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { aWorld, type World } from '../../support/sandbox/world.js';

const refundOf = async ({ caller }: World, uid: string): Promise<Answer['data']> =>
  (await caller.get(`/payto/refunds/${uid}`)).data;
const balanceOf = async ({ caller }: World): Promise<unknown> =>
  (await caller.get(`/bank_accounts/${FLOAT_ID}`)).data['available_balance'];
const eventsOf = ({ receiver }: World, uid: string) =>
  receiver.received.map(({ envelope }) => envelope).filter(({ data }) => data.resource_uid === uid);
const movesOf = ({ control }: World, uid: string): (string | null)[][] =>
  control
    .ledger()
    .flatMap((it) => (it.kind === 'change' && it.resource_uid === uid ? [[it.from, it.to]] : []));

test('a refund from a float account: 201 created, then processed, the money gone at once', async () => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  const request = aRefund(original, { metadata: { claim: 9 } }, { amount: 300 });
  const answer = await world.caller.post('/payto/refunds', request);
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({
    uid: request.uid,
    original_payment_uid: original,
    state: 'created',
    refund_payment: request.refund_payment,
    failure: null,
    created_at: expect.stringMatching(/Z$/) as string,
    metadata: { claim: 9 },
    links: {
      self: `${world.url}/payto/refunds/${request.uid}`,
      original_payment: `${world.url}/payto/payments/${original}`,
    },
  });
  expect(await balanceOf(world)).toBe(700);
  await world.control.advance(1);
  expect(await refundOf(world, request.uid)).toEqual({ ...answer.data, state: 'processed' });
  expect(movesOf(world, request.uid)).toEqual([
    [null, 'created'],
    ['created', 'processing'],
    ['processing', 'processed'],
  ]);
  expect(eventsOf(world, request.uid)).toEqual([
    {
      data: {
        id: expect.any(String) as string,
        type: 'payto_refund.processed',
        published_at: expect.stringMatching(/\+1[01]:00$/) as string,
        resource_uid: request.uid,
        resource_type: 'payto_refund',
        body: null,
        resource_metadata: { claim: 9 },
      },
      links: { resource: `${world.url}/payto/refunds/${request.uid}` },
    },
  ]);
});

test.each([
  ['creditor_alias_not_found', 'ZPUNP08'],
  ['creditor_account_closed', 'AC07'],
])('%s fails with %s, and the money comes back', async (simulate, code) => {
  const world = await aWorld();
  const original = await aSettledPayment(world, { amount: 1000 });
  const request = aRefund(original, { sandbox: { simulate, delay: 60 } }, { amount: 300 });
  await world.caller.post('/payto/refunds', request);
  await world.control.advance(55);
  expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processing', failure: null });
  expect(await balanceOf(world)).toBe(700);
  await world.control.advance(10);
  const refund = await refundOf(world, request.uid);
  expect(refund).toMatchObject({ state: 'failed', failure: { code } });
  expect(eventsOf(world, request.uid).map(({ data }) => [data.type, data.body])).toEqual([
    ['payto_refund.failed', { failure: refund['failure'] }],
  ]);
  const { list } = await world.caller.get(`/bank_accounts/${FLOAT_ID}/entries`);
  expect(list.map(({ amount, description }) => [amount, description])).toEqual([
    [300, `Reversal of refund ${request.uid}`],
    [-300, 'REFUND part'],
    [1000, `PayTo payment ${original}`],
  ]);
  expect(movesOf(world, FLOAT_ID)).toEqual([
    ['0', '1000'],
    ['1000', '700'],
    ['700', '1000'],
  ]);
});

async function aPayToRefund(world: World, overrides: object = {}, payment: object = {}) {
  const original = await aSettledPayment(world, { amount: 1000 });
  const agreement_uid = await aPayoutAgreement(world);
  const type = 'pay_to_payment';
  const request = aRefund(original, overrides, {
    type,
    float_bank_account_id: undefined,
    agreement_uid,
    ...payment,
  });
  return { original, agreement_uid, request, answer: await world.caller.post('/payto/refunds', request) };
}

test('a refund by PayTo is a payment under the given agreement, to who paid, and follows it', async () => {
  const world = await aWorld();
  const { agreement_uid, request, answer } = await aPayToRefund(world, {}, { uid: 'pay-back', amount: 250 });
  expect(answer).toMatchObject({ status: 201, data: { refund_payment: { uid: 'pay-back', agreement_uid } } });
  expect(await paymentOf(world, 'pay-back')).toMatchObject({
    agreement_uid,
    amount: 250,
    description: 'REFUND part',
    source_payto_refund_uid: request.uid,
    creditor: { name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
    debtor: { party_name: 'B Biller' },
    links: { source_refund: `${world.url}/payto/refunds/${request.uid}` },
  });
  await world.control.advance(1);
  expect(await paymentOf(world, 'pay-back')).toMatchObject({ state: 'settled' });
  expect(await refundOf(world, request.uid)).toMatchObject({
    state: 'processed',
    links: { refund_payment: `${world.url}/payto/payments/pay-back` },
  });
  expect(movesOf(world, request.uid).map(([, to]) => to)).toEqual(['created', 'processing', 'processed']);
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.settled', 'payto_refund.processed']);
  expect(await balanceOf(world)).toBe(1000);
});

test('without a uid of its own the payment gets one', async () => {
  const world = await aWorld();
  const { answer } = await aPayToRefund(world);
  const { uid } = z.object({ uid: z.uuid() }).parse(answer.data['refund_payment']);
  expect((await world.caller.get(`/payto/payments/${uid}`)).status).toBe(200);
});

test.each([
  ['creditor_account_closed', 'AC07'],
  ['creditor_alias_not_found', 'ZPUNP08'],
])('by PayTo, %s fails payment and refund alike', async (simulate, code) => {
  const world = await aWorld();
  const { request } = await aPayToRefund(world, { sandbox: { simulate } }, { uid: 'pay-back' });
  await world.control.advance(1);
  expect(await paymentOf(world, 'pay-back')).toMatchObject({ state: 'failed', failure: { code } });
  const { state, failure } = await refundOf(world, request.uid);
  expect([state, failure]).toEqual(['failed', expect.objectContaining({ code })]);
  expect(failure).not.toHaveProperty('retryable');
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.failed', 'payto_refund.failed']);
});

test('while its payment has no outcome, the refund has none', async () => {
  const world = await aWorld();
  world.control.scriptPayment('pay-back', { simulate: 'pending_then_investigate', delay: 60 });
  const { request } = await aPayToRefund(world, {}, { uid: 'pay-back' });
  for (const state of ['submitting', 'pending', 'under_investigation']) {
    await world.control.advance(state === 'submitting' ? 1 : 60);
    expect(await paymentOf(world, 'pay-back')).toMatchObject({ state });
    expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processing' });
  }
  world.control.resolvePayment('pay-back', 'settled');
  expect(await refundOf(world, request.uid)).toMatchObject({ state: 'processed' });
});

test('refunds are listed newest first, by original payment and by day', async () => {
  const world = await aWorldAtNoon();
  const [one, other] = [await aSettledPayment(world), await aSettledPayment(world)];
  const refund = async (it: World, paymentUid: string): Promise<string> => {
    const request = aRefund(paymentUid);
    expect((await it.caller.post('/payto/refunds', request)).status).toBe(201);
    return request.uid;
  };
  const day = today(world);
  const first = await refund(world, one);
  const second = await refund(world, other);
  const tomorrow = await later(world, DAY_SECONDS);
  const third = await refund(tomorrow, one);
  const list = (query: string): Promise<Answer> => tomorrow.caller.get(`/payto/refunds?${query}`);
  const uids = async (query: string): Promise<unknown[]> => (await list(query)).list.map(({ uid }) => uid);
  expect(await uids('')).toEqual([third, second, first]);
  expect(await uids(`original_payment_uid=${one}`)).toEqual([third, first]);
  expect(await uids('original_payment_uid=none')).toEqual([]);
  expect(await uids(`max_created_date=${day}`)).toEqual([second, first]);
  expect(await uids(`min_created_date=${plusDays(day, 1)}`)).toEqual([third]);
  const page = await list('per_page=2');
  expect((await tomorrow.caller.get(page.links.next ?? '')).list).toMatchObject([{ uid: first }]);
  expect(codesOf(await list('state=failed'))).toEqual([400, undefined]);
  expect(codesOf(await list('per_page=0'))).toEqual([422, 'ZPPGN00']);
  await tomorrow.control.advance(1); // so that it stands still between the two readings
  expect((await list('')).list[0]).toEqual(await refundOf(tomorrow, third));
});

test('an unknown refund is 404', async () => {
  expect((await (await aWorld()).caller.get('/payto/refunds/none')).status).toBe(404);
});
