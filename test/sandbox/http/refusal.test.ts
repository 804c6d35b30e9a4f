// Every kind of request is checked as the provider's files document, with the documented status, code and title.
import { expect, test } from 'vitest';
import { agreementPath, LEGACY } from '../../support/sandbox/agreements.js';
import { FLOAT_ID } from '../../support/sandbox/payments.js';
import {
  anAgreement,
  anAliasLookup,
  anIncomingCredit,
  aPayment,
  aValidation,
  simulating,
} from '../../support/sandbox/requests.js';
import { anActiveAgreement, aSharedWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();
const SUSPENSION = { reason: 'customer_requested' };
const REASONLESS = { debtor_action: 'cancellation' };
const SIMULATES_NOTHING = { sandbox: { delay: 1 } };
const SCHEMA = 'One or more fields violate the relevant schema';
const INVALID = 'Validation Failed';
const bban = (value: string) => ({ account_identifier: { type: 'bban', value } });
const ALIAS = { account_identifier: { type: 'alias_email', value: 'new@payer.example' } };
const amendedTo = (debtor: object) => ({ debtor_action: 'amendment', changes: { debtor } });
const toPayId = (payid_email: string) => ({
  payid_email,
  amount: 42,
  ...{ payment_description: 'For PayID', debtor_legal_name: 'C Pty Ltd' },
});

/** Posts to a path in which A stands for a new agreement. */
async function post(path: string, body: object) {
  const world = theWorld();
  const uid = path.startsWith('A/') ? await anActiveAgreement(world) : '';
  return world.caller.post(path.replace(/^A/, agreementPath(uid)), body, LEGACY);
}

// prettier-ignore
const REFUSED: [path: string, body: object, status: number, code: string | undefined, title: string][] = [
  ['/payto/agreements', anAgreement({ surprise: 1 }), 400, undefined, INVALID],
  ['/payto/agreements', anAgreement({ purpose: 'fun' }), 422, 'ZPUNP00', SCHEMA],
  ['/payto/agreements', anAgreement(SIMULATES_NOTHING), 422, 'ZPUNP00', SCHEMA],
  ['/payto/payments', aPayment('x', { description: 'a'.repeat(281) }), 422, 'ZPUNP00', SCHEMA],
  ['/payto/payments', aPayment('none', { description: 'Café ☕' }), 422, 'ZPPAY22', 'Agreement not found'],
  ['/payto/payments/none/retry', {}, 422, 'ZPPRY00', 'Payment not retryable'],
  ['A/suspension', { reason: 'no_answer' }, 400, undefined, INVALID],
  ['A/suspension', { ...SUSPENSION, narrative: '' }, 400, undefined, INVALID],
  ['A/simulate_debtor_action', REASONLESS, 422, 'ZPUNP00', SCHEMA],
  ['/payto/agreements/none/amendment/recall', {}, 422, 'ZPARE02', 'Agreement has no amendment'],
  ['/payto/alias_resolution', anAliasLookup({ value: 'a@b' }), 422, 'ZPUNP00', SCHEMA],
  ['/cop/account/validate', aValidation({ surprise: 1 }), 422, undefined, INVALID],
  ['/cop/account/validate', aValidation({ party_name: '' }), 422, undefined, INVALID],
  ['/simulate/incoming_de_payment', anIncomingCredit({ reference: 'x' }), 400, undefined, INVALID],
];
test.each(REFUSED)('%s refuses %o with %i %s', async (path, body, status, code, title) => {
  const answer = await post(path, body);
  expect(answer).toMatchObject({ status, errors: [{ title }] });
  expect(answer.errors[0]?.code).toBe(code);
});

// prettier-ignore
const ANSWERED: [path: string, body: object, status: number][] = [
  ['A/suspension', SUSPENSION, 202],
  ['A/cancellation', { ...SUSPENSION, narrative: null }, 202],
  ['A/suspension', { ...SUSPENSION, narrative: 'Café ☕' }, 202],
  ['A/simulate_debtor_action', { debtor_action: 'suspension', reason: 'suspected_fraudulent' }, 202],
  ['A/simulate_debtor_action', amendedTo({ party_name: 'A New Name' }), 202],
  ['A/simulate_debtor_action', amendedTo(ALIAS), 202],
  ['/cop/account/validate', aValidation({ party_name: 'Zoë', account_identifier: undefined }), 422],
  ['/cop/account/validate', aValidation({ party_name: 'Zoë', ...bban('20000112340001') }), 200],
  ['/simulate/incoming_npp_bban_payment', anIncomingCredit({ amount: 99_999_999_999 }), 201],
  ['/simulate/incoming_npp_payid_payment', toPayId('pay@pay.biller.example'), 201],
  ['/simulate/incoming_npp_payid_payment', toPayId('pay@nobody.example'), 400],
];
test.each(ANSWERED)('%s answers %o with %i', async (path, body, status) => {
  expect((await post(path, body)).status).toBe(status);
});

test.each(['match', 'no_account_found', 'rate_limited', 'requester_daily_request_limit_exceeded'])(
  'a validation that ends with %s uses up its uid',
  async (simulate) => {
    const request = aValidation(simulating(simulate));
    await post('/cop/account/validate', request);
    const again = await post('/cop/account/validate', aValidation({ uid: request.uid }));
    expect(again).toMatchObject({ status: 422, errors: [{ title: INVALID }] });
    expect(again.errors[0]).not.toHaveProperty('code');
  },
);

test('an alias look-up returns the scripted name', async () => {
  const lookup = anAliasLookup({ sandbox: { simulate: 'alias_found', display_name: 'Ann Able' } });
  expect((await post('/payto/alias_resolution', lookup)).data).toEqual({ display_name: 'Ann Able' });
});

test.each(['/payto/agreements', '/payto/payments', '/payto/refunds', '/clients', '/investigations/disputes'])(
  'an unknown resource in %s is 404 without a body',
  async (path) => {
    const answer = await theWorld().caller.get(`${path}/none`);
    expect([answer.status, answer.errors]).toEqual([404, []]);
  },
);

test('all float accounts are listed with the page size', async () => {
  const { headers, list } = await theWorld().caller.get('/bank_accounts');
  const ids = list.map(({ id }) => id);
  expect([headers.get('per-page'), headers.get('link'), ids]).toEqual(['25', null, [FLOAT_ID]]);
});
