// Requests of the checks before an agreement, each a good one, to be spoiled in one place.
import { randomUUID } from 'node:crypto';

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
