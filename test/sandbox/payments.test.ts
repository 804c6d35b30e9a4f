// What the payment calls answer, and how a payment looks in each version.
import { expect, test } from 'vitest';
import { aPayment } from './requests.js';
import { anActiveAgreement, aWorld } from './world.js';
import { ADHOC, anEndedPayment, codesOf, CREDITOR, pay, paymentOf } from './payment-requests.js';

test('a new payment is 201 with the whole resource, created', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world);
  const { uid, answer } = await pay(world, agreementUid, { creditor_reference: 'C-5', metadata: { run: 7 } });
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({
    uid,
    agreement_uid: agreementUid,
    state: 'created',
    amount: 4200,
    last_payment: null,
    priority: 'unattended',
    reference: 'INV 5',
    description: 'October',
    creditor: { name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
    creditor_reference: 'C-5',
    debtor: {
      party_name: 'A Payer',
      ultimate_party_name: 'A Payer',
      account_identifier: { type: 'bban', value: '200001-12340001' },
    },
    failure: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    source_payto_refund_uid: null,
    metadata: { run: 7 },
    links: {
      self: `${world.url}/payto/payments/${uid}`,
      agreement: `${world.url}/payto/agreements/${agreementUid}`,
    },
  });
});

test.each(['20250101', '20260101'])('version %s spells the creditor in the long way', async (version) => {
  const world = await aWorld();
  const headers = { 'Service-API-Version': version };
  const request = aPayment(await anActiveAgreement(world));
  const created = await world.caller.post('/payto/payments', request, headers);
  const read = await world.caller.get(`/payto/payments/${request.uid}`, headers);
  const listed = await world.caller.get('/payto/payments', headers);
  for (const data of [created.data, read.data, listed.list[0]]) expect(data?.['creditor']).toEqual(CREDITOR);
});

test('the same uid again is 422 ZPPAY00, and the first payment is as it was', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uid = await anEndedPayment(world, agreementUid);
  const again = await pay(world, agreementUid, { uid, amount: 1 });
  expect(codesOf(again.answer)).toEqual([422, 'ZPPAY00']);
  expect(again.answer.errors[0]?.meta).toEqual({ resource_uid: uid });
  expect(await paymentOf(world, uid)).toMatchObject({ amount: 4200, state: 'settled' });
});

test.each([
  [{ surprise: 1 }, 400, undefined, /surprise/],
  [{ creditor: { ...CREDITOR, iban: 'x' } }, 400, undefined, /creditor\.iban/],
  [{ sandbox: { simulate: 'auto_settle', dely: 1 } }, 400, undefined, /sandbox\.dely/],
  [{ amount: 0 }, 422, 'ZPUNP00', /amount/],
  [{ amount: 1.5 }, 422, 'ZPUNP00', /amount/],
  [{ amount: 1_000_000_001 }, 422, 'ZPUNP00', /amount/],
  [{ priority: 'soon' }, 422, 'ZPUNP00', /priority/],
  [{ reference: 'x'.repeat(36) }, 422, 'ZPUNP00', /reference/],
  [{ description: 'x'.repeat(281) }, 422, 'ZPUNP00', /description/],
  [{ creditor_reference: '' }, 422, 'ZPUNP00', /creditor_reference/],
  [{ description: 'caf\u00e9' }, 422, 'ZPUNP00', /ASCII/],
  [{ metadata: { deep: { er: 1 } } }, 422, 'ZPUNP00', /metadata/],
  [{ metadata: { long: 'x'.repeat(2048) } }, 422, 'ZPUNP00', /2 KB/],
  [{ uid: 'no spaces' }, 422, 'ZPUNP00', /uid/],
  [{ sandbox: { simulate: 'pending_then_settle' } }, 422, 'ZPUNP00', /simulate/],
  [{ sandbox: { simulate: 'AM04' } }, 422, 'ZPUNP00', /simulate/],
  [{ sandbox: { delay: 86_401 } }, 422, 'ZPUNP00', /delay/],
])('%o is %i and says so', async (overrides, status, code, detail) => {
  const world = await aWorld();
  const { answer } = await pay(world, await anActiveAgreement(world), overrides);
  expect([answer.status, answer.errors[0]?.code]).toEqual([status, code]);
  expect(answer.errors[0]?.detail).toMatch(detail);
});

test.each(['uid', 'agreement_uid', 'amount', 'priority'])('%s is required', async (field) => {
  const world = await aWorld();
  const request = aPayment(await anActiveAgreement(world), { [field]: undefined });
  expect(codesOf(await world.caller.post('/payto/payments', request))).toEqual([422, 'ZPUNP00']);
});

test('an unknown payment is 404, to read and to try again', async () => {
  const { caller } = await aWorld();
  expect((await caller.get('/payto/payments/none')).status).toBe(404);
  expect((await caller.post('/payto/payments/none/retry', {})).status).toBe(404);
});
