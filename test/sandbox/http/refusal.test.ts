import { expect, test } from 'vitest';
import { agreementPath, LEGACY } from '../../support/sandbox/agreements.js';
import { FLOAT_ID } from '../../support/sandbox/payments.js';
import {
  anAgreement,
  anAliasLookup,
  anIncomingCredit,
  aPayment,
  aValidation,
} from '../../support/sandbox/requests.js';
import { anActiveAgreement, aSharedWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();
const SUSPENSION = { reason: 'customer_requested' };
const reasonless = { debtor_action: 'cancellation' };
const SIMULATES_NOTHING = { sandbox: { delay: 1 } };
const SCHEMA = 'One or more fields violate the relevant schema';

test.each<[path: string, body: object, status: number, code: string | undefined, title: string]>([
  ['/payto/agreements', anAgreement({ surprise: 1 }), 400, undefined, 'Validation Failed'],
  ['/payto/agreements', anAgreement({ purpose: 'fun' }), 422, 'ZPUNP00', SCHEMA],
  ['/payto/agreements', anAgreement(SIMULATES_NOTHING), 422, 'ZPUNP00', SCHEMA],
  ['/payto/payments', aPayment('x', { description: 'a'.repeat(281) }), 422, 'ZPUNP00', SCHEMA],
  ['/payto/payments', aPayment('none', { description: 'Café ☕' }), 422, 'ZPPAY22', 'Agreement not found'],
  ['/payto/payments/none/retry', {}, 422, 'ZPPRY00', 'Payment not retryable'],
  ['A/suspension', { reason: 'no_answer' }, 400, undefined, 'Validation Failed'],
  ['A/suspension', { ...SUSPENSION, narrative: '' }, 400, undefined, 'Validation Failed'],
  ['A/amendment/recall', {}, 422, 'ZPARE02', 'Agreement has no amendment'],
  ['A/simulate_debtor_action', reasonless, 422, 'ZPUNP00', SCHEMA],
  ['/payto/agreements/none/amendment/recall', {}, 422, 'ZPARE02', 'Agreement has no amendment'],
  ['/payto/alias_resolution', anAliasLookup({ value: 'a@b' }), 422, 'ZPUNP00', SCHEMA],
  ['/cop/account/validate', aValidation({ surprise: 1 }), 422, undefined, 'Validation Failed'],
  ['/cop/account/validate', aValidation({ party_name: '' }), 422, undefined, 'Validation Failed'],
  [
    '/simulate/incoming_de_payment',
    anIncomingCredit({ reference: 'x' }),
    400,
    undefined,
    'Validation Failed',
  ],
])('%s with %o is %i %s', async (path, body, status, code, title) => {
  const world = theWorld();
  const uid = path.startsWith('A/') ? await anActiveAgreement(world) : '';
  const answer = await world.caller.post(path.replace(/^A/, agreementPath(uid)), body, LEGACY);
  expect(answer).toMatchObject({ status, errors: [{ title }] });
  expect(answer.errors[0]?.code).toBe(code);
});

test.each([
  ['A/suspension', SUSPENSION, 202],
  ['A/cancellation', { ...SUSPENSION, narrative: null }, 202],
  ['A/suspension', { ...SUSPENSION, narrative: 'Café ☕' }, 202],
  ['A/simulate_debtor_action', { debtor_action: 'suspension', reason: 'suspected_fraudulent' }, 202],
  [
    'A/simulate_debtor_action',
    { debtor_action: 'amendment', changes: { debtor: { party_name: 'A New Name' } } },
    202,
  ],
  [
    'A/simulate_debtor_action',
    {
      debtor_action: 'amendment',
      changes: { debtor: { account_identifier: { type: 'alias_email', value: 'new@payer.example' } } },
    },
    202,
  ],
  ['/cop/account/validate', aValidation({ party_name: 'Zoë', account_identifier: undefined }), 422],
  [
    '/cop/account/validate',
    aValidation({ party_name: 'Zoë', account_identifier: { type: 'bban', value: '20000112340001' } }),
    200,
  ],
  ['/simulate/incoming_npp_bban_payment', anIncomingCredit({ amount: 99_999_999_999 }), 201],
])('%s answers %o with %i', async (path, body, status) => {
  const world = theWorld();
  const uid = path.startsWith('A/') ? await anActiveAgreement(world) : '';
  expect((await world.caller.post(path.replace(/^A/, agreementPath(uid)), body, LEGACY)).status).toBe(status);
});

test('an alias look-up returns the scripted name', async () => {
  const lookup = anAliasLookup({ sandbox: { simulate: 'alias_found', display_name: 'Ann Able' } });
  expect((await theWorld().caller.post('/payto/alias_resolution', lookup)).data).toEqual({
    display_name: 'Ann Able',
  });
});

test.each([
  '/payto/agreements/none',
  '/payto/payments/none',
  '/payto/refunds/none',
  '/clients/none',
  '/investigations/disputes/none',
])('%s is 404 without a body', async (path) => {
  const answer = await theWorld().caller.get(path);
  expect([answer.status, answer.errors]).toEqual([404, []]);
});

test.each([
  ['pay@pay.biller.example', 201],
  ['pay@nobody.example', 400],
])('money for the PayID %s is %i', async (payid_email, status) => {
  const { caller } = theWorld();
  const body = { payid_email, amount: 42, payment_description: 'For PayID', debtor_legal_name: 'C Pty Ltd' };
  expect((await caller.post('/simulate/incoming_npp_payid_payment', body)).status).toBe(status);
});

test('all float accounts are listed with the page size', async () => {
  const { headers, list } = await theWorld().caller.get('/bank_accounts');
  expect([headers.get('per-page'), headers.get('link'), list.map(({ id }) => id)]).toEqual([
    '25',
    null,
    [FLOAT_ID],
  ]);
});
