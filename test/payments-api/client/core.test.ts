// The provider's other services: each request to the letter (docs/provider.md#clients, #float-accounts, #webhooks-deliveries, #operations, #webhooks).
import { expect, test } from 'vitest';
import { CALL } from '../../support/payments-api/examples.js';
import { TAKEN, created, found, testOnEveryVersion } from '../../support/payments-api/operation-rows.js';
import { fakeProvider } from '../../support/payments-api/fake-provider.js';

const ID = '0195aaaa-0000-7000-8000-00000000000a';
const ENTRY = '0195aaaa-0000-7000-8000-00000000000B';
const ALIAS = {
  type: 'alias_email',
  value: 'a.payer@example.com',
  requester: { id: 'user-1', remote_ip: '203.0.113.9' },
};
const VALIDATION = {
  uid: 'cop-1',
  account_identifier: { type: 'bban', value: '200001-12340001' },
  party_name: 'A Payer',
  requester: { id: 'user-1' },
};
const CLIENT = {
  type: 'business',
  legal_name: 'Café & Söhne Pty Ltd',
  business_names: ['Café'],
  australian_business_number: '12345678901',
  merchant_category_code: '4900',
  credit_licence_number: '77',
  registered_address: { street: 'Any St 1' },
  contact_information: { contact_name: 'C', email: 'c@example.com', phone: '+61-1' },
  services: ['payto'],
};

testOnEveryVersion([
  ['ping', (api) => api.ping(CALL), 'GET /ping', undefined, { status: 200, body: 'pong' }, undefined],
  [
    'getUser',
    (api) => api.getUser(CALL),
    'GET /user',
    undefined,
    found({ id: 'u', x: 1 }),
    { id: 'u', x: 1 },
  ],
  [
    'createClient',
    (api) => api.createClient(CLIENT, CALL),
    'POST /clients',
    CLIENT,
    created({ id: ID, services: { payto: 'pending', rtp: null, brand_new: 'x' } }),
    { id: ID, services: { payto: 'pending', rtp: null, brand_new: 'x' } },
  ],
  [
    'getClient',
    (api) => api.getClient('0195', CALL),
    'GET /clients/0195',
    undefined,
    found({ id: '0195', licences: [1] }),
    { id: '0195', licences: [1] },
  ],
  [
    'updateClient',
    (api) => api.updateClient('0195', { website_url: 'https://b.example' }, CALL),
    'PATCH /clients/0195',
    { website_url: 'https://b.example' },
    found({ id: '0195' }),
    { id: '0195' },
  ],
  [
    'updateClient, accepted for later',
    (api) => api.updateClient('0195', { services: ['payto', 'de'] }, CALL),
    'PATCH /clients/0195',
    { services: ['payto', 'de'] },
    TAKEN,
    undefined,
  ],
  [
    'resolveAlias',
    (api) => api.resolveAlias(ALIAS, CALL),
    'POST /payto/alias_resolution',
    ALIAS,
    found({ display_name: 'A P' }),
    { display_name: 'A P' },
  ],
  [
    'validateAccount',
    (api) => api.validateAccount(VALIDATION, CALL),
    'POST /cop/account/validate',
    VALIDATION,
    found({ uid: 'cop-1', outcome: { result: 'close_match', match_name: 'A Player' }, insights: null }),
    { uid: 'cop-1', outcome: { result: 'close_match', match_name: 'A Player' }, insights: null },
  ],
  [
    'getFloatAccount',
    (api) => api.getFloatAccount(ID, CALL),
    `GET /bank_accounts/${ID}`,
    undefined,
    found({ id: ID, available_balance: 12, payid_configs: [{ email_domain: 'x', pooling_state: 'paused' }] }),
    { id: ID, available_balance: 12, payid_configs: [{ email_domain: 'x', pooling_state: 'paused' }] },
  ],
  [
    'getFloatAccountEntry',
    (api) => api.getFloatAccountEntry(ID, ENTRY, CALL),
    `GET /bank_accounts/${ID}/entries/${ENTRY}`,
    undefined,
    found({ id: ENTRY, amount: -5, available_balance_after: 7, created_at: '2026-10-01T00:00:00Z' }),
    { id: ENTRY, amount: -5, available_balance_after: 7, created_at: '2026-10-01T00:00:00.000Z' },
  ],
  [
    'getWebhookDelivery',
    (api) => api.getWebhookDelivery('del-1', CALL),
    'GET /webhook_deliveries/del-1',
    undefined,
    found({ id: 'del-1', created_at: '2021-09-02 02:24:50 UTC', payload: { data: [{ a: 1 }] } }),
    { id: 'del-1', created_at: '2021-09-02T02:24:50.000Z', payload: { data: [{ a: 1 }] } },
  ],
  [
    'redeliverWebhook',
    (api) => api.redeliverWebhook('del-1', CALL),
    'POST /webhook_deliveries/del-1/redeliver',
    undefined,
    { status: 202, body: { data: { id: 'del-1', webhook_id: 'w', state: 'pending' } } },
    { id: 'del-1', webhook_id: 'w', state: 'pending' },
  ],
  [
    'redeliverWebhook, accepted without a word',
    (api) => api.redeliverWebhook('del-1', CALL),
    'POST /webhook_deliveries/del-1/redeliver',
    undefined,
    TAKEN,
    undefined,
  ],
]);

const COUNTERPARTY = {
  identity: {
    legal_name: 'A Payer',
    verification: {
      method: 'third_party_provider',
      provider_name: 'V',
      reference: 'r',
      verified_at: '2026-09-01T00:00:00Z',
    },
  },
  payment_accounts: [{ uid: 'acc-1', account_identifier: { type: 'alias_phone', value: '+61-400000000' } }],
};

test('creates a counterparty', async () => {
  const accounts = [{ uid: 'acc-1', account_identifier: null, status: 'x' }];
  const { api, asked } = fakeProvider(created({ uid: 'cp-1', payment_accounts: accounts }));
  const counterparty = await api.createCounterparty(COUNTERPARTY, CALL);
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/counterparties', body: COUNTERPARTY });
  expect(counterparty).toEqual({ uid: 'cp-1', payment_accounts: accounts });
});
