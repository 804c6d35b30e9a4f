import { expect, test } from 'vitest';
import fc from 'fast-check';
import { CALL, NOW, aPaymentRequest, anAgreementRequest } from '../../support/payments-api/examples.js';
import { bodyOf } from '../../../payments-api/requests/intended.js';
import { fakeProvider } from '../../support/payments-api/fake-provider.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const AT = { version: '20260901', now: () => new Date(NOW) };
const agreement = (overrides: object) =>
  bodyOf('createAgreement', { ...anAgreementRequest(), ...overrides }, AT);
const payment = (overrides: object) => bodyOf('createPayment', { ...aPaymentRequest(), ...overrides }, AT);
const bban = { type: 'bban', value: '200001-12340001' };
const party = (overrides: object) => ({ party_name: 'A', account_identifier: bban, ...overrides });
const identified = (type: string, value: string) => party({ account_identifier: { type, value } });

test('the creditor’s party name is the default ultimate party name', () => {
  const { creditor } = agreement({ creditor: party({}) });
  expect(creditor).toEqual(party({ ultimate_party_name: 'A' }));
});

test('a given ultimate party name is preserved', () => {
  const named = party({ ultimate_party_name: 'U' });
  expect(agreement({ creditor: named }).creditor).toEqual(named);
});

test.each([undefined, null])('a creditor of %j is left unchanged', (creditor) => {
  expect(agreement({ creditor }).creditor).toBe(creditor);
});

test('undefined fields are omitted from the JSON', () => {
  expect(JSON.stringify(agreement({ metadata: undefined }))).not.toContain('metadata');
});

test.each<[object, string]>([
  [{ connection: 'acme' }, 'connection'],
  [{ payment_terms: { type: 'variable', max_amont: 77777 } }, 'payment_terms.max_amont'],
  [{ purpose: undefined }, 'purpose'],
  [{ debtor: null }, 'debtor'],
  [{ payment_terms: undefined }, 'payment_terms'],
  [{ description: '' }, 'description'],
  [{ description: 'x'.repeat(141) }, 'description'],
  [{ description: 'Caf\u00e9 77777' }, 'description'],
  [{ description: 'two\nlines' }, 'description'],
  [{ description: 'Fish &amp; Chips' }, 'description'],
  [{ description: 'a &#38; b' }, 'description'],
  [{ description: 'a &#x26; b' }, 'description'],
  [{ debtor: party({ party_name: 'x'.repeat(141) }) }, 'debtor.party_name'],
  [{ debtor: party({ party_name: undefined }) }, 'debtor.party_name'],
  [{ debtor: { party_name: 'A' } }, 'debtor.account_identifier'],
  [{ creditor: party({ party_name: undefined }) }, 'creditor.party_name'],
  [{ creditor: { party_name: 'B' } }, 'creditor.account_identifier'],
  [{ validity_start_date: null, validity_end_date: '2026-09-09' }, 'validity_end_date'],
  [{ debtor: identified('alias_organisation_identifier', 'Ab 1') }, 'debtor.account_identifier.value'],
  [{ creditor: party({ ultimate_party_name: 'Mary\u2019s' }) }, 'creditor.ultimate_party_name'],
  [{ creditor: party({ payment_account_uid: '../x' }) }, 'creditor.payment_account_uid'],
  [{ debtor: identified('bban', '20001-12340001') }, 'debtor.account_identifier.value'],
  [{ debtor: identified('bban', '20000112340001') }, 'debtor.account_identifier.value'],
  [{ debtor: identified('alias_phone', '0400000000') }, 'debtor.account_identifier.value'],
  [{ debtor: identified('alias_email', 'Mary@Example.com') }, 'debtor.account_identifier.value'],
  [{ debtor: identified('alias_abn', '1234567890') }, 'debtor.account_identifier.value'],
  [{ initiator: { name: 'x'.repeat(141) } }, 'initiator.name'],
  [{ initiator: { client_id: 'a/b' } }, 'initiator.client_id'],
  [{ payment_terms: { count: 0 } }, 'payment_terms.count'],
  [{ payment_terms: { amount: 0 } }, 'payment_terms.amount'],
  [{ payment_terms: { max_amount: 1_000_000_001 } }, 'payment_terms.max_amount'],
  [{ payment_terms: { first_payment_date: '01/10/2026' } }, 'payment_terms.first_payment_date'],
  [{ validity_start_date: '2027-02-29' }, 'validity_start_date'],
  [{ resolution_requested_before: '2026-10-03T02:00:00+10:00' }, 'resolution_requested_before'],
  [{ metadata: { order: { nested: 77777 } } }, 'metadata.order'],
  [{ metadata: { order: 'x'.repeat(2048) } }, 'metadata'],
  [{ metadata: { order: '\u00e9'.repeat(1100) } }, 'metadata'],
  [{ uid: '..' }, 'uid'],
  [{ uid: 'a/b' }, 'uid'],
  [{ uid: 'x'.repeat(65) }, 'uid'],
])('an agreement with %j is refused at %s', async (overrides, field) => {
  const error = await thrownBy(() => agreement(overrides));
  expect(error).toMatchObject({ code: 'rejected', status: undefined, name: 'PaymentsApiError' });
  expect(String(error)).toMatch(new RegExp(`faults in ${field} \\(\\w+\\)$`));
  expect(String(error)).not.toMatch(/77777|Mary|xx|nested/);
});

test.each<[object]>([
  [{ purpose: 'brand_new' }],
  [{ payment_terms: { type: 'brand_new', frequency: 'hourly' } }],
  [{ payment_terms: { type: 'variable', amount: null, max_amount: 1_000_000_000 } }],
  [{ debtor: identified('alias_brand_new', 'Anything at all') }],
  [{ debtor: identified('alias_organisation_identifier', 'ab 1') }],
  [{ debtor: identified('alias_phone', '+61-400000000') }],
  [{ debtor: identified('alias_email', 'mary@example.com') }],
  [{ debtor: identified('alias_abn', '123456789') }],
  [{ debtor: { party_name: 'A', payment_account_uid: 'acc-1' } }],
  [{ validity_start_date: null, validity_end_date: '2026-09-10' }],
  [{ description: 'Fish & Chips; 100% <fresh> & "hot"' }],
  [{ description: 'x'.repeat(140) }],
  [{ validity_start_date: null, validity_end_date: null, cancel_if_unresolved: null }],
  [{ metadata: { order: 'x'.repeat(2000), n: 1, b: true, nothing: null } }],
  [{ initiator: null }],
])('an agreement with %j is sent', (overrides) => {
  expect(agreement(overrides)).toMatchObject(overrides);
});

test.each<[object, string]>([
  ...[0, -1, 1.5, Number.NaN, 1_000_000_001, '5'].map((amount): [object, string] => [{ amount }, 'amount']),
  [{ reference: 'x'.repeat(36) }, 'reference'],
  [{ description: 'x'.repeat(281) }, 'description'],
  [{ creditor_reference: '' }, 'creditor_reference'],
  [{ agreement_uid: 'a b' }, 'agreement_uid'],
  [{ priority: 'very urgent' }, 'priority'],
  [{ last_payment: 'yes' }, 'last_payment'],
  [{ creditor: party({ name: 'Mary' }) }, 'creditor.name'],
  [{ creditor: party({ party_name: undefined }) }, 'creditor.party_name'],
  [{ creditor: { party_name: 'B' } }, 'creditor.account_identifier'],
  [{ creditor: party({ payment_account_uid: 'acc-1' }) }, 'creditor.payment_account_uid'],
  [{ debtor: { payment_account_uid: 'acc-1' } }, 'debtor.payment_account_uid'],
  [{ uid: '..' }, 'uid'],
  [{ uid: '' }, 'uid'],
])('a payment with %j is refused at %s', async (overrides, field) => {
  const error = await thrownBy(() => payment(overrides));
  expect(error).toMatchObject({ code: 'rejected', status: undefined });
  expect(String(error)).toMatch(new RegExp(`faults in ${field} \\(\\w+\\)$`));
  expect(String(error)).not.toMatch(/Mary|xx/);
});

test.each<[object]>([
  [{ priority: 'brand_new' }],
  [{ amount: 1 }],
  [{ reference: undefined, description: undefined, creditor_reference: undefined }],
  [{ last_payment: true }],
  [{ creditor: party({ ultimate_party_name: null }), debtor: { party_name: 'A Payer' } }],
])('a payment with %j is sent', (overrides) => {
  expect(payment(overrides)).toMatchObject(overrides);
});

test('the error names every invalid field', async () => {
  const error = await thrownBy(() => payment({ amount: 0, reference: 'é', colour: 'red' }));
  expect(String(error)).toMatch(/amount .*reference .*colour/);
});

const IP = { id: 'user-1', remote_ip: '203.0.113.9' };
const REFUND = {
  type: 'float_bank_payment',
  float_bank_account_id: 'no-uuid',
  amount: 1,
  description: 'REFUND x',
} as const;

test.each<[string, (api: PaymentsApi) => Promise<unknown>]>([
  ['reason', (api) => api.cancelAgreement('a', { reason: 'not a word' }, CALL)],
  ['narrative', (api) => api.suspendAgreement('a', { reason: 'x', narrative: 'x'.repeat(257) }, CALL)],
  ['narrative', (api) => api.cancelAgreement('a', { reason: 'x', narrative: '' }, CALL)],
  ['changes.description', (api) => api.proposeAmendment('a', { changes: { description: 'é' } }, CALL)],
  [
    'changes.payment_terms.amount',
    (api) => api.proposeAmendment('a', { changes: { payment_terms: { amount: -1 } } }, CALL),
  ],
  [
    'refund_payment.float_bank_account_id',
    (api) => api.createRefund({ uid: 'r', original_payment_uid: 'p', refund_payment: REFUND }, CALL),
  ],
  ['value', (api) => api.resolveAlias({ type: 'alias_phone', value: '0400', requester: IP }, CALL)],
  [
    'requester.remote_ip',
    (api) =>
      api.resolveAlias(
        { type: 'alias_email', value: 'a@b', requester: { ...IP, remote_ip: 'localhost' } },
        CALL,
      ),
  ],
  [
    'requester.id',
    (api) =>
      api.validateAccount(
        { uid: 'c', account_identifier: bban, party_name: 'A', requester: { id: 'a b' } },
        CALL,
      ),
  ],
  ['the whole body', (api) => api.addIdentification('a', {}, CALL)],
  ['payment_accounts', (api) => api.createCounterparty({ payment_accounts: [] }, CALL)],
  [
    'creditor.party_name',
    (api) =>
      api.retryPayment(
        'p',
        { creditor: { party_name: 'é', ultimate_party_name: null, account_identifier: bban } },
        CALL,
      ),
  ],
])('an invalid %s is refused before sending (case %#)', async (field, run) => {
  const { api, requests } = fakeProvider({ status: 202 });
  const error = await thrownBy(() => run(api));
  expect(error).toMatchObject({ code: 'rejected', status: undefined });
  expect(String(error)).toMatch(new RegExp(`faults in ${field} \\(\\w+\\)$`));
  expect(requests).toEqual([]);
});

test.each([
  'australian_business_number',
  'australian_company_number',
  'merchant_category_code',
  'legal_nmae',
])('changing the %s of a client is refused', async (field) => {
  const { api, requests } = fakeProvider();
  const error = await thrownBy(() => api.updateClient('0195', { [field]: '77777' }, CALL));
  expect(String(error)).toMatch(new RegExp(`faults in ${field} \\(unrecognized_keys\\)$`));
  expect(requests).toEqual([]);
});

const PATHS: readonly [string, (api: PaymentsApi, id: string) => Promise<unknown>][] = [
  ['getAgreement', (api, id) => api.getAgreement(id, CALL)],
  ['getAgreementHistory', (api, id) => api.getAgreementHistory(id, CALL)],
  ['addIdentification', (api, id) => api.addIdentification(id, { initiator: { client_id: 'c' } }, CALL)],
  ['cancelAgreement', (api, id) => api.cancelAgreement(id, { reason: 'x' }, CALL)],
  ['suspendAgreement', (api, id) => api.suspendAgreement(id, { reason: 'x' }, CALL)],
  ['reactivateAgreement', (api, id) => api.reactivateAgreement(id, CALL)],
  ['proposeAmendment', (api, id) => api.proposeAmendment(id, { changes: { description: 'x' } }, CALL)],
  ['getAmendment', (api, id) => api.getAmendment(id, CALL)],
  ['recallAmendment', (api, id) => api.recallAmendment(id, CALL)],
  ['getPayment', (api, id) => api.getPayment(id, CALL)],
  ['retryPayment', (api, id) => api.retryPayment(id, {}, CALL)],
  ['getRefund', (api, id) => api.getRefund(id, CALL)],
  ['getClient', (api, id) => api.getClient(id, CALL)],
  ['updateClient', (api, id) => api.updateClient(id, {}, CALL)],
  ['getFloatAccount', (api, id) => api.getFloatAccount(id, CALL)],
  ['getFloatAccountEntry', (api, id) => api.getFloatAccountEntry(id, id, CALL)],
  ['getWebhookDelivery', (api, id) => api.getWebhookDelivery(id, CALL)],
  ['redeliverWebhook', (api, id) => api.redeliverWebhook(id, CALL)],
];

test.each(PATHS)('property: %s accepts only safe ids in its path', async (operation, run) => {
  const { api, requests } = fakeProvider({ status: 202 });
  const steps = fc.constantFrom(
    '',
    '.',
    '..',
    'a/b',
    'a?b',
    'a#b',
    'a%2fb',
    '../user',
    'a\\b',
    'a b',
    'é',
    'a\n',
  );
  const mixed = fc.string().filter((id) => !/^[A-Za-z0-9_~.-]{1,64}$/.test(id));
  await fc.assert(
    fc.asyncProperty(fc.oneof(steps, mixed), async (id) => {
      const error = await thrownBy(() => run(api, id));
      expect(error).toMatchObject({
        code: 'rejected',
        message: expect.stringContaining(operation) as string,
      });
    }),
  );
  expect(requests).toEqual([]);
});
