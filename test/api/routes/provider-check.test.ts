import { describe, expect, test } from 'vitest';
import { anOnboarding } from '../../support/an-onboarding.js';
import { anApi, post, type Api, sentOf } from '../../support/api/app.js';
import {
  aMandate,
  aPayment,
  aPaymentView,
  anAgreement,
  anAgreementView,
  problemIn,
} from '../../support/api/builders.js';

const AGREEMENT = '/v1/agreements';
const PAYMENT = '/v1/agreements/agr-1/payments';
const AMENDMENT = '/v1/agreements/agr-1/amendment';
const { debtor, creditor } = aMandate();
const { account_identifier } = debtor;
const PLAN = '/v1/agreements/agr-1/plan';
const ONBOARDING = '/v1/onboardings';
const RETRY = '/v1/payments/pay-1/retry';
const by = (type: string, value: string) => ({ party_name: 'A', account_identifier: { type, value } });
const PAYER = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
const FIXED = { type: 'fixed', frequency: 'monthly', amount: 500 };
const NO_DAYS = { validity_start_date: undefined, validity_end_date: undefined };
const LEGACY = '20260101';
const NEW = '20260901';

function withoutResources(api: Api): Api {
  api.door.agreements.view.mockResolvedValue(undefined);
  api.door.payments.view.mockResolvedValue(undefined);
  return api;
}
const send = (api: Api, path: string, over: object): Promise<Response> => {
  const bodies: Readonly<Record<string, object>> = {
    [AGREEMENT]: { payer: PAYER, ...anAgreement() },
    [PAYMENT]: aPayment(),
    [PLAN]: { schedule: { dates: [{ date: '2027-01-01', amount: 100 }] } },
  };
  const onboarding = anOnboarding('acme');
  const body =
    path === ONBOARDING
      ? { ...onboarding, payment: { ...onboarding.payment, ...over } }
      : { ...bodies[path], ...over };
  return post(api, path, body, { 'idempotency-key': 'order-77' }, path === PLAN ? 'PUT' : 'POST');
};

describe('request that the provider would refuse', () => {
  const [legacy, current] = [LEGACY, NEW].map((version) => withoutResources(anApi({ version }))) as [
    Api,
    Api,
  ];

  test.each<[path: string, over: object, pointer: string, version?: string]>([
    [AGREEMENT, { description: 'Fish &amp; Chips' }, '/description'],
    [AGREEMENT, { initiator: { client_id: '0195' } }, '/initiator/client_id', LEGACY],
    [AGREEMENT, { initiator: { client_id: 'no word' } }, '/initiator/client_id'],
    [AGREEMENT, { debtor: { account_identifier } }, '/debtor/party_name'],
    [AGREEMENT, { creditor: { account_identifier } }, '/creditor/party_name'],
    [AGREEMENT, { creditor: { party_name: 'B' } }, '/creditor/account_identifier'],
    [
      AGREEMENT,
      { debtor: { ...debtor, payment_account_uid: 'acc-1' } },
      '/debtor/payment_account_uid',
      LEGACY,
    ],
    [AGREEMENT, { validity_start_date: undefined, validity_end_date: '2026-09-30' }, '/validity_end_date'],
    [PAYMENT, { reference: 'A &lt; B' }, '/reference'],
    [PAYMENT, { creditor: { ...creditor, payment_account_uid: 'acc-1' } }, '/creditor/payment_account_uid'],
    [PAYMENT, { description: 'Fish &amp; Chips' }, '/description'],
    [PAYMENT, { creditor: { party_name: 'B' } }, '/creditor/account_identifier'],
    [AMENDMENT, { changes: { description: 'A &#38; B' } }, '/changes/description'],
    [AMENDMENT, { changes: { validity_end_date: '2026-09-30' } }, '/changes/validity_end_date'],
    [AGREEMENT, { debtor: by('bban', '1') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_email', 'A@payer.example') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_phone', '+61-0411222333') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_email', '"a"@payer.example') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_email', 'a@payer') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_organisation_identifier', 'A1') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_organisation_identifier', 'a1 ') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { debtor: by('alias_organisation_identifier', 'a') }, '/debtor/account_identifier/value'],
    [AGREEMENT, { payment_terms: { ...FIXED, max_amount: 5 } }, '/payment_terms/max_amount'],
    [
      AGREEMENT,
      { payment_terms: { ...FIXED, first_payment_amount: 5 } },
      '/payment_terms/first_payment_amount',
    ],
    [AGREEMENT, { payment_terms: { ...FIXED, amount: undefined } }, '/payment_terms/amount'],
    [AGREEMENT, { payment_terms: { ...FIXED, type: 'variable' } }, '/payment_terms/amount'],
    [AGREEMENT, { cancel_if_unresolved: false }, '/resolution_requested_before'],
    [AGREEMENT, { resolution_requested_before: '2026-09-30T00:00:00Z' }, '/resolution_requested_before'],
    [AGREEMENT, { ...NO_DAYS, validity_start_date: '2026-09-30' }, '/validity_start_date'],
    [
      AGREEMENT,
      { ...NO_DAYS, validity_start_date: '2027-02-02', validity_end_date: '2027-02-01' },
      '/validity_end_date',
    ],
    [
      AGREEMENT,
      {
        ...NO_DAYS,
        validity_start_date: '2027-02-02',
        payment_terms: { ...FIXED, first_payment_date: '2027-02-01' },
      },
      '/payment_terms/first_payment_date',
    ],
    [
      AGREEMENT,
      {
        ...NO_DAYS,
        payment_terms: { ...FIXED, first_payment_date: '2027-02-02', last_payment_date: '2027-02-01' },
      },
      '/payment_terms/last_payment_date',
    ],
    [
      AGREEMENT,
      { ...NO_DAYS, payment_terms: { ...FIXED, last_payment_date: '2026-09-30' } },
      '/payment_terms/last_payment_date',
    ],
    [AGREEMENT, { initiator: { legal_name: 'B Ltd', abn: '53004085616' } }, '/initiator/name', LEGACY],
    [AGREEMENT, { initiator: { name: 'B', abn: '53004085616' } }, '/initiator/legal_name', LEGACY],
    [AGREEMENT, { initiator: { name: 'B', legal_name: 'B Ltd', abn: 'none' } }, '/initiator/abn', LEGACY],
    [AGREEMENT, { initiator: { name: 'B', legal_name: 'B Ltd' } }, '/initiator', LEGACY],
    [AGREEMENT, { initiator: { name: 'B', abn: '53004085616' } }, '/initiator/abn', NEW],
    [PAYMENT, { creditor: { account_identifier } }, '/creditor/party_name'],
    [RETRY, { creditor: by('alias_phone', '0411') }, '/creditor/account_identifier/value'],
    [PLAN, { description: 'Fish &amp; Chips' }, '/description'],
    [PLAN, { creditor: { party_name: 'B' } }, '/creditor/account_identifier'],
    [ONBOARDING, { description: 'Fish &amp; Chips' }, '/payment/description'],
    [ONBOARDING, { creditor: { party_name: 'B' } }, '/payment/creditor/account_identifier'],
  ])('gets 422 with the field and version: %s %j', async (path, over, pointer, version = NEW) => {
    const api = version === LEGACY ? legacy : current;
    expect(await problemIn(await send(api, path, over))).toMatchObject({
      status: 422,
      code: 'provider_would_refuse',
      provider_version: version,
      pointers: [pointer],
      errors: [{ detail: expect.stringMatching(/expected|Remove it/) as string }],
    });
    expect(sentOf(api.door)).toBe(0);
  });
});

test.each<[object, string]>([
  [{ initiator: { name: 'B', legal_name: 'B Ltd', abn: '53004085616' } }, LEGACY],
  [{ initiator: { name: 'B', legal_name: 'B Ltd', acn: '004085616' } }, LEGACY],
  [{ initiator: undefined, debtor: by('alias_organisation_identifier', 'biller & co') }, LEGACY],
  [{ initiator: { client_id: '0195' }, debtor: by('alias_phone', '+61-411222333') }, NEW],
])('an agreement with %j is accepted with provider version %s', async (over, version) => {
  expect((await send(withoutResources(anApi({ version })), AGREEMENT, over)).status).toBe(202);
});

test('a repeat of an accepted request is answered, even if it would now be refused', async () => {
  const api = anApi();
  const over = { validity_start_date: undefined, validity_end_date: '2026-09-30' };
  api.door.agreements.view.mockResolvedValue(anAgreementView());
  expect((await send(api, AGREEMENT, over)).status).toBe(202);
  api.door.payments.view.mockResolvedValue(aPaymentView());
  expect((await send(api, PAYMENT, { reference: 'A &lt; B' })).status).toBe(202);
  expect(sentOf(api.door)).toBe(2);
});
