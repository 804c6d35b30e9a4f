// The OAuth scopes that our calls need, and what needs them. Source: the provider's API files (docs/provider.md#authentication).
import { RESOURCES, RESOURCE_NAMES } from './resources.js';

const OF_RESOURCES = RESOURCE_NAMES.flatMap((name): [string, string][] => {
  const row = RESOURCES[name];
  return 'provider' in row ? [[row.provider.scope, row.plural]] : [];
});

export const NEEDED_SCOPES: ReadonlyMap<string, string> = new Map([
  ...OF_RESOURCES,
  ['pay_to_payments', 'payments and settlement reports'],
  ['pay_to_suspensions', 'suspensions'],
  ['pay_to_reactivations', 'reactivations'],
  ['pay_to_cancellations', 'cancellations'],
  ['pay_to_amendments', 'amendments'],
  ['pay_to_amendment_recalls', 'recalls of amendments'],
  ['pay_to_aliases', 'PayIDs of counterparties'],
  ['cop_account_validations', 'verifications of accounts'],
  ['bank_accounts', 'float accounts and the accounts of connections'],
  ['webhooks', 'audits of webhooks'],
]);

/** What cannot work with these scopes, separated by spaces. */
export function missingScopes(scopes: string): [scope: string, needed: string][] {
  const requested = new Set(scopes.split(/\s+/));
  return [...NEEDED_SCOPES].filter(([scope]) => !requested.has(scope));
}
