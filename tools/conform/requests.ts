// Minimal and maximal request bodies that the provider's files allow. Each account and uid is new.
import { LATEST, type World } from './world.js';
import type { ClientRequest } from '../../payments-api/requests/client.schema.js';
import type { NewAgreement, NewPayment, NewRefund } from '../../payments-api/requests/intended.js';

/** The float account of every new sandbox. */
export const FLOAT_ID = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';
export const DAY_SECONDS = 24 * 60 * 60;
export const WHY = { reason: 'initiating_party_requested', narrative: 'On holiday' };
export const METADATA = { order: '77', paid: true, count: 3, none: null };

let made = 0;
/** Never returns the same name twice. */
export const unique = (prefix: string): string => `${prefix}-${(made += 1)}`;

export const bban = (value = `200001-${10_000_000 + (made += 1)}`) => ({ type: 'bban', value });
export const payer = () => ({ party_name: 'A Payer', account_identifier: bban() });
export const biller = () => ({
  ...{ party_name: 'B Biller', ultimate_party_name: 'B Biller' },
  account_identifier: bban('200002-55550001'),
});

/** One of each account type. */
export const ACCOUNTS = [
  bban(),
  { type: 'alias_phone', value: '+61-411222333' },
  { type: 'alias_email', value: 'payer@example.com' },
  { type: 'alias_abn', value: '11222333444' },
  { type: 'alias_organisation_identifier', value: 'corner-gym' },
];

const SYDNEY_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' });
/** The time at the provider. */
export const nowMs = ({ control }: World): number => Date.parse(control.state().now);
export const instantIn = (world: World, seconds: number): string =>
  new Date(nowMs(world) + seconds * 1000).toISOString();
export const dayIn = (world: World, days: number): string =>
  SYDNEY_DAY.format(nowMs(world) + days * DAY_SECONDS * 1000);

/** The terms of each type: a minimal and a maximal one. */
export function terms(world: World) {
  const dates = { first_payment_date: dayIn(world, 10), last_payment_date: dayIn(world, 100) };
  const counted = { frequency: 'monthly', count: 1, ...dates };
  const ends = { first_payment_amount: 100, last_payment_amount: 900 };
  return [
    { type: 'fixed', frequency: 'weekly', amount: 4200 },
    { type: 'fixed', ...counted, amount: 4200 },
    { type: 'variable', frequency: 'adhoc' },
    { type: 'variable', ...counted, max_amount: 25_000 },
    { type: 'usage_based', frequency: 'quarterly' },
    { type: 'usage_based', ...counted, max_amount: 25_000 },
    { type: 'balloon', frequency: 'annual', amount: 4200 },
    { type: 'balloon', ...counted, amount: 4200, ...ends },
  ];
}

export const agreementRequest = (overrides: Partial<NewAgreement> = {}): NewAgreement => ({
  uid: unique('agr'),
  purpose: 'utility',
  description: 'Plan 77',
  debtor: payer(),
  creditor: biller(),
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
  ...overrides,
});

export const wholeAgreement = (world: World, overrides: Partial<NewAgreement> = {}): NewAgreement => ({
  ...agreementRequest(),
  debtor: { ...payer(), ultimate_party_name: 'The Payers' },
  validity_start_date: dayIn(world, 1),
  validity_end_date: dayIn(world, 365),
  resolution_requested_before: instantIn(world, 2 * DAY_SECONDS),
  cancel_if_unresolved: true,
  metadata: METADATA,
  ...overrides,
});

export const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };
export const wholeAmendment = (world: World) => ({
  changes: {
    description: 'Plan 78',
    validity_end_date: dayIn(world, 400),
    payment_terms: { type: 'variable', frequency: 'monthly', count: 2, max_amount: 40_000, amount: null },
    creditor: biller(),
  },
  resolution_requested_before: instantIn(world, 3 * DAY_SECONDS),
});

export const paymentRequest = (agreementUid: string, overrides: Partial<NewPayment> = {}): NewPayment => ({
  ...{ uid: unique('pay'), agreement_uid: agreementUid, amount: 4200, priority: 'unattended' },
  ...overrides,
});

export const WHOLE_PAYMENT = {
  priority: 'attended',
  reference: 'INV 5',
  description: 'October 🎉',
  creditor_reference: 'C-5',
  creditor: biller(),
  metadata: METADATA,
};

export const fromFloat = (overrides: object = {}): NewRefund['refund_payment'] => ({
  ...{ type: 'float_bank_payment', float_bank_account_id: FLOAT_ID, amount: 100 },
  description: 'REFUND part',
  ...overrides,
});
export const refundRequest = (paymentUid: string, overrides: Partial<NewRefund> = {}): NewRefund => ({
  ...{ uid: unique('ref'), original_payment_uid: paymentUid, refund_payment: fromFloat() },
  ...overrides,
});

const anyClient = ({ version }: World) => ({
  business_names: ['Corner Gym'],
  merchant_category_code: '7997',
  registered_address: '1 Bay St, Sydney NSW 2000',
  services: ['payto'],
  // Only older versions have it, and require it.
  ...(version === LATEST ? {} : { risk_level: 'low' as const }),
});
/** A business. */
export const clientRequest = (world: World, overrides: Partial<ClientRequest> = {}): ClientRequest => ({
  ...anyClient(world),
  type: 'business',
  legal_name: unique('Corner Gym Pty Ltd'),
  australian_business_number: '11222333444',
  business_registration_date: '2019-07-01',
  website_url: 'https://gym.example',
  ...overrides,
});
export const wholeBusiness = (world: World): ClientRequest =>
  clientRequest(world, {
    services: ['payto', 'rtp', 'de'],
    australian_company_number: '222333444',
    company_incorporation_date: '2019-06-01',
    austrac_number: '100123456',
    australian_credit_licence: '123456',
    australian_financial_services_licence: '234567',
    contact_information: { contact_name: 'C Owner', email: 'c@gym.example', phone: '+61 2 5550 0000' },
    primary_bank_account_bban: '200002-55550001',
  });
export const individual = (world: World): ClientRequest => ({
  ...{ ...anyClient(world), type: 'individual', legal_name: unique('Ida Owner') },
});

export const counterpartyRequest = (account = bban()) => ({
  identity: {
    legal_name: 'A Payer',
    verification: {
      method: 'third_party_provider',
      provider_name: 'Identity Checks',
      reference: 'IC-77',
      verified_at: '2026-01-05T03:00:00Z',
    },
  },
  payment_accounts: [{ account_identifier: account }],
});
