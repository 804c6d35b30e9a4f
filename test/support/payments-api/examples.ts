import { createPaymentsApi, type PaymentsApi } from '../../../payments-api/client.js';
import type { Mandate, PaymentOrder } from '../../../domain/agreement/mandate.js';

export const NOW = '2026-09-10T00:00:00.000Z';
export const CALL = { accessToken: 'access-token-1' };

export const paymentsApi = (baseUrl: string, version = '20260901'): PaymentsApi =>
  createPaymentsApi({ baseUrl, version, versionHeader: 'Service-API-Version', now: () => new Date(NOW) });

const account = (value: string) => ({ type: 'bban', value });

export const anAgreementRequest = (): { uid: string } & Mandate => ({
  uid: 'agr-2f9c',
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: account('200001-12340001') },
  creditor: { party_name: 'B Biller', account_identifier: account('200002-55550001') },
  initiator: { name: 'B Biller', client_id: '0195' },
  payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25000, count: 1 },
  validity_start_date: '2026-10-01',
  validity_end_date: '2027-09-30',
  resolution_requested_before: '2026-10-03T02:00:00Z',
  cancel_if_unresolved: true,
  metadata: { order: '77' },
});

export const aPaymentRequest = (): { uid: string } & PaymentOrder => ({
  uid: 'pay-0001',
  agreement_uid: 'agr-2f9c',
  amount: 4200,
  priority: 'unattended',
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
});

export const anAgreementAnswer = (overrides: object = {}): object => ({
  uid: 'agr-2f9c',
  state: 'active',
  state_reason: null,
  state_caused_by: 'debtor',
  mms_agreement_id: 'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4',
  created_at: '2026-09-01T10:00:00.123+10:00',
  purpose: 'utility',
  description: 'Plan 77',
  resolution_requested_before: '2026-10-03T02:00:00Z',
  validity_start_date: '2026-10-01',
  validity_end_date: null,
  payment_terms: { type: 'variable', frequency: 'monthly', count: 1, max_amount: 25000, amount: null },
  debtor: {
    party_name: 'A Payer',
    ultimate_party_name: 'A Payer',
    account_identifier: account('200001-12340001'),
  },
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: account('200002-55550001'),
  },
  initiator: { name: 'B Biller', legal_name: 'B Biller Pty Ltd', abn: '1', acn: null, client_id: '0195' },
  brand_new_field: { of: ['any', 'shape'] },
  links: { self: 'https://provider.example/payto/agreements/agr-2f9c' },
  ...overrides,
});

export const aPaymentAnswer = (overrides: object = {}): object => ({
  ...aPaymentRequest(),
  state: 'settled',
  last_payment: null,
  creditor: { name: 'B Biller', account_identifier: account('200002-55550001') },
  debtor: { party_name: 'A Payer', ultimate_party_name: 'A Payer' },
  failure: null,
  created_at: '2026-10-01T00:00:00Z',
  links: { self: 'x', agreement: 'y' },
  ...overrides,
});

export const anEvent = (overrides: object = {}): Record<string, unknown> => ({
  id: '01922222-0000-7000-8000-000000000001',
  type: 'payto_agreement.suspended',
  published_at: '2026-10-05T09:30:00.250+11:00',
  resource_uid: 'agr-2f9c',
  resource_type: 'payto_agreement',
  body: {
    caused_by: 'debtor',
    reason: { code: 'MD16', title: 'By customer', detail: 'ReceivedRequest for it', narrative: null },
  },
  ...overrides,
});

export const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
