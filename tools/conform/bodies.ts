// Minimal and maximal request bodies that the provider's files allow. Each account and uid is new.
import type { ClientRequest } from '../../payments-api/requests/client.schema.js';
import type { NewAgreement, NewPayment } from '../../payments-api/requests/intended.js';
import type { World } from './world.js';

/** The float account of every new sandbox. */
export const FLOAT_ID = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';
export const WHY = { reason: 'initiating_party_requested', narrative: 'On holiday' };
export const METADATA = { order: '77', paid: true, count: 3, none: null };
const DAY_MS = 24 * 60 * 60 * 1000;

let made = 0;
/** Never returns the same name twice. */
export const unique = (prefix: string): string => `${prefix}-${(made += 1)}`;

export const bban = (value = `200001-${10_000_000 + (made += 1)}`) => ({ type: 'bban', value });
export const biller = () => ({
  party_name: 'B Biller',
  ultimate_party_name: 'B Biller',
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

export const dayIn = ({ control }: World, days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' }).format(
    Date.parse(control.state().now) + days * DAY_MS,
  );
const instantIn = ({ control }: World, days: number): string =>
  new Date(Date.parse(control.state().now) + days * DAY_MS).toISOString();

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

export const agreement = (overrides: Partial<NewAgreement> = {}): NewAgreement => ({
  uid: unique('agr'),
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: bban() },
  creditor: biller(),
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
  ...overrides,
});

export const wholeAgreement = (world: World, overrides: Partial<NewAgreement> = {}): NewAgreement => ({
  ...agreement(),
  debtor: { party_name: 'A Payer', ultimate_party_name: 'The Payers', account_identifier: bban() },
  initiator: { name: 'Sandbox Biller', legal_name: 'Sandbox Biller Pty Ltd', abn: '51824753556' },
  validity_start_date: dayIn(world, 1),
  validity_end_date: dayIn(world, 365),
  resolution_requested_before: instantIn(world, 2),
  cancel_if_unresolved: true,
  metadata: METADATA,
  ...overrides,
});

export const amendment = (world: World) => ({
  changes: {
    description: 'Plan 78',
    validity_end_date: dayIn(world, 400),
    payment_terms: { type: 'variable', frequency: 'monthly', count: 2, max_amount: 40_000, amount: null },
    creditor: biller(),
  },
  resolution_requested_before: instantIn(world, 3),
});

export const payment = (agreementUid: string, overrides: Partial<NewPayment> = {}): NewPayment => ({
  uid: unique('pay'),
  agreement_uid: agreementUid,
  amount: 4200,
  priority: 'unattended',
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

export const refund = (paymentUid: string) => ({ uid: unique('ref'), original_payment_uid: paymentUid });
export const fromFloat = (description: string) =>
  ({ type: 'float_bank_payment', float_bank_account_id: FLOAT_ID, amount: 100, description }) as const;

const CLIENT = {
  merchant_category_code: '7997',
  registered_address: '1 Bay St, Sydney NSW 2000',
  risk_level: 'low' as const,
  services: ['payto'],
};
export const business = (): ClientRequest => ({
  ...CLIENT,
  type: 'business',
  legal_name: unique('Corner Gym Pty Ltd'),
  business_names: ['Corner Gym'],
  australian_business_number: '11222333444',
  business_registration_date: '2019-07-01',
  website_url: 'https://gym.example',
});
export const wholeBusiness = (): ClientRequest => ({
  ...business(),
  services: ['payto', 'rtp', 'de'],
  australian_company_number: '222333444',
  company_incorporation_date: '2019-06-01',
  austrac_number: '100123456',
  australian_credit_licence: '123456',
  australian_financial_services_licence: '234567',
  contact_information: { contact_name: 'C Owner', email: 'c@gym.example', phone: '+61 2 5550 0000' },
  primary_bank_account_bban: '200002-55550001',
});
export const individual = (): ClientRequest => ({
  ...CLIENT,
  type: 'individual',
  legal_name: unique('Ida Owner'),
  business_names: ['Ida Owner'],
});
