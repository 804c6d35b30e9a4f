import { randomUUID } from 'node:crypto';

const DAY_MS = 24 * 60 * 60_000;

export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

export function anAgreement(overrides: object = {}) {
  return {
    uid: `agr-${randomUUID()}`,
    purpose: 'utility',
    description: 'Plan 77',
    debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
    creditor: {
      party_name: 'B Biller',
      ultimate_party_name: 'B Biller',
      account_identifier: { type: 'bban', value: '200002-55550001' },
    },
    payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25_000, count: 1 },
    ...overrides,
  };
}

export function aPayment(agreementUid: string, overrides: object = {}) {
  return {
    uid: `pay-${randomUUID()}`,
    agreement_uid: agreementUid,
    amount: 4200,
    priority: 'unattended',
    reference: 'INV 5',
    description: 'October',
    ...overrides,
  };
}

export function anAliasLookup(overrides: object = {}) {
  return {
    type: 'alias_email',
    value: 'payer@example.com',
    requester: { id: 'user-7', remote_ip: '192.0.2.7' },
    ...overrides,
  };
}

export function aValidation(overrides: object = {}) {
  return {
    uid: `cop-${randomUUID()}`,
    account_identifier: { type: 'bban', value: '200001-12340001' },
    party_name: 'A Payer',
    requester: { id: 'user-7' },
    ...overrides,
  };
}

export const simulating = (simulate: string) => ({ sandbox: { simulate } });

export const anIncomingCredit = (overrides: object = {}) => ({
  to_bsb: '200002',
  to_account_number: '55550001',
  amount: 4200,
  from_bsb: '200001',
  from_account_number: '12340001',
  debtor_name: 'C Customer',
  payment_reference: 'INV 5',
  ...overrides,
});
