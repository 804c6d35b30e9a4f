// What the payment calls accept and refuse, and where each script leads.
import { expect, test } from 'vitest';
import { anAgreement, aPayment, dayFromNow } from './requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from './world.js';

async function pay(world: World, agreementUid: string, overrides: object = {}) {
  const request = aPayment(agreementUid, overrides);
  return { request, answer: await world.caller.post('/payto/payments', request) };
}

test('a new payment is 201 with the whole resource, created', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world);
  const { request, answer } = await pay(world, agreementUid);
  expect(answer.status).toBe(201);
  expect(answer.data).toMatchObject({
    uid: request.uid,
    agreement_uid: agreementUid,
    state: 'created',
    amount: 4200,
    last_payment: null,
    priority: 'unattended',
    creditor: { name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
    failure: null,
    links: { agreement: `${world.url}/payto/agreements/${agreementUid}` },
  });
});

test('it settles, and the event and the resource agree', async () => {
  const world = await aWorld();
  const { request } = await pay(world, await anActiveAgreement(world));
  const webhook = world.receiver.next();
  expect((await webhook).envelope.data).toMatchObject({
    type: 'payto_payment.settled',
    resource_uid: request.uid,
    resource_type: 'payto_payment',
    body: null,
  });
  const { data } = await world.caller.get(`/payto/payments/${request.uid}`);
  expect(data).toMatchObject({ state: 'settled', failure: null });
});

test('the same uid again is 422 ZPPAY00', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world);
  const { request } = await pay(world, agreementUid);
  const again = await pay(world, agreementUid, { uid: request.uid, amount: 1 });
  expect(again.answer).toMatchObject({ status: 422, errors: [{ code: 'ZPPAY00' }] });
});

test.each([
  ['insufficient_funds', 'AM04', true],
  ['financial_infrastructure_unavailable', 'FF10', true],
  ['creditor_account_closed', 'AC07', false],
  ['debtor_account_closed', 'AC05', false],
  ['creditor_account_type_not_supported', 'AC14', false],
])('%s fails with %s, retryable %s', async (simulate, code, retryable) => {
  const world = await aWorld();
  const { request } = await pay(world, await anActiveAgreement(world), { sandbox: { simulate } });
  await world.control.advance(1);
  const { data } = await world.caller.get(`/payto/payments/${request.uid}`);
  expect(data).toMatchObject({ state: 'failed', failure: { code, retryable } });
  expect(world.receiver.received.at(-1)?.envelope.data).toMatchObject({
    type: 'payto_payment.failed',
    body: { failure: { code, retryable } },
  });
});

test.each([
  ['requires_investigation', ['under_investigation']],
  ['investigate_and_settle', ['under_investigation', 'settled']],
  ['investigate_and_fail', ['under_investigation', 'failed']],
])('%s leads to %j', async (simulate, states) => {
  const world = await aWorld();
  await pay(world, await anActiveAgreement(world), { sandbox: { simulate } });
  await world.control.advance(1);
  expect(world.receiver.types().slice(1)).toEqual(states.map((state) => `payto_payment.${state}`));
  expect(world.control.state().payments[0]?.state).toBe(states.at(-1));
});

test('the outcome comes after the delay and not before', async () => {
  const world = await aWorld();
  await pay(world, await anActiveAgreement(world), { sandbox: { delay: 60 } });
  await world.control.advance(59);
  expect(world.control.state().payments[0]?.state).toBe('submitting');
  await world.control.advance(2);
  expect(world.control.state().payments[0]?.state).toBe('settled');
});

test('a script by the control route wins over the request', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world);
  world.control.scriptPayment('pay-scripted', { simulate: 'insufficient_funds' });
  await pay(world, agreementUid, { uid: 'pay-scripted', sandbox: { simulate: 'auto_settle' } });
  await world.control.advance(1);
  expect(world.control.state().payments[0]).toMatchObject({ uid: 'pay-scripted', state: 'failed' });
});

test('an agreement nobody knows is ZPPAY22', async () => {
  const world = await aWorld();
  expect((await pay(world, 'none')).answer).toMatchObject({ status: 422, errors: [{ code: 'ZPPAY22' }] });
});

test('an agreement that is not active is ZPPAY03', async () => {
  const world = await aWorld();
  const waiting = await anIgnoredAgreement(world);
  expect((await pay(world, waiting)).answer.errors[0]?.code).toBe('ZPPAY03');
  const paused = await anActiveAgreement(world);
  world.control.actAsPayer(paused, 'suspend');
  expect((await pay(world, paused)).answer.errors[0]?.code).toBe('ZPPAY03');
});

const fixed = { payment_terms: { type: 'fixed', frequency: 'monthly', amount: 500 } };
const balloon = {
  payment_terms: { type: 'balloon', frequency: 'monthly', amount: 500, last_payment_amount: 900 },
};
const creditor = {
  party_name: 'B Biller',
  ultimate_party_name: 'B Biller',
  account_identifier: { type: 'bban', value: '200002-55550001' },
};

test.each([
  ['over max_amount', {}, { amount: 25_001 }, 'ZPPAY12'],
  ['not the fixed amount', fixed, { amount: 501 }, 'ZPPAY15'],
  ['without a creditor', { creditor: null }, {}, 'ZPPAY11'],
  ['to another creditor', {}, { creditor: { ...creditor, party_name: 'Else' } }, 'ZPPAY04'],
  [
    'to another account',
    {},
    { creditor: { ...creditor, account_identifier: { type: 'alias_abn', value: '53004085616' } } },
    'ZPPAY06',
  ],
  ['of a balloon without the flag', balloon, { amount: 500 }, 'ZPPAY09'],
  ['with a flag out of place', {}, { last_payment: true }, 'ZPPAY10'],
  ['before validity', { validity_start_date: dayFromNow(3) }, {}, 'ZPPAY08'],
  ['of a debtor of its own', {}, { debtor: { party_name: 'Else' } }, 'ZPPAY25'],
])('a payment %s is refused', async (_, terms, overrides, code) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world, terms), overrides);
  expect(answer).toMatchObject({ status: 422, errors: [{ code }] });
});

test.each([
  ['up to max_amount', {}, { amount: 25_000 }],
  ['of the fixed amount', fixed, { amount: 500 }],
  ['of a balloon, the last one', balloon, { amount: 900, last_payment: true }],
  ['to a creditor of its own', { creditor: null }, { creditor }],
])('a payment %s is taken', async (_, terms, overrides) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world, terms), overrides);
  expect(answer.status).toBe(201);
});

test('after validity a payment is ZPPAY07', async () => {
  const world = await aWorld();
  // One day each way: the sandbox reckons in Sydney's days, this test in whole days from now.
  const request = anAgreement({ validity_end_date: dayFromNow(1) });
  await world.caller.post('/payto/agreements', request);
  await world.control.advance(1);
  expect((await pay(world, request.uid)).answer.status).toBe(201);
  await world.control.advance(3 * 24 * 60 * 60);
  const caller = await world.newCaller();
  const late = await caller.post('/payto/payments', aPayment(request.uid));
  expect(late).toMatchObject({ status: 422, errors: [{ code: 'ZPPAY07' }] });
});

test.each([
  [{ surprise: 1 }, 400, undefined],
  [{ amount: 0 }, 422, 'ZPUNP00'],
  [{ amount: 1_000_000_001 }, 422, 'ZPUNP00'],
  [{ priority: 'soon' }, 422, 'ZPUNP00'],
  [{ reference: 'x'.repeat(36) }, 422, 'ZPUNP00'],
])('%o is %i', async (overrides, status, code) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world), overrides);
  expect([answer.status, answer.errors[0]?.code]).toEqual([status, code]);
});

test('an unknown payment is 404', async () => {
  const { caller } = await aWorld();
  expect((await caller.get('/payto/payments/none')).status).toBe(404);
});
