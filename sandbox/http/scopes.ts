// The scopes that an application can be registered for, with their texts on the consent page (docs/provider.md#authentication).

export const SCOPES: ReadonlyMap<string, string> = new Map([
  ['public', 'See your public information'],
  ['agreements', 'Manage agreements'],
  ['bank_accounts', 'Manage bank accounts'],
  ['bank_connections', 'Manage bank connections'],
  ['contacts', 'Manage contacts'],
  ['open_agreements', 'Manage open agreements'],
  ['payments', 'Manage payments'],
  ['payment_requests', 'Manage payment requests'],
  ['refunds', 'Manage refunds'],
  ['transfers', 'Manage transfers'],
  ['transactions', 'Access transactions'],
  ['webhooks', 'Manage webhook events'],
  ['offline_access', 'Act for you permanently: its access tokens never expire'],
  ['pay_to_agreements', 'Manage PayTo agreements'],
  ['pay_to_amendment_recalls', 'Recall PayTo agreement amendments'],
  ['pay_to_amendments', 'Amend PayTo agreements'],
  ['pay_to_cancellations', 'Cancel PayTo agreements'],
  ['pay_to_payments', 'Manage PayTo payments'],
  ['pay_to_reactivations', 'Reactivate PayTo agreements'],
  ['pay_to_refunds', 'Manage PayTo refunds'],
  ['pay_to_suspensions', 'Suspend PayTo agreements'],
  ['pay_to_aliases', 'Manage PayTo aliases'],
  ['clients', 'Register sub-merchants'],
  ['counterparties', 'Register counterparties'],
  ['float_accounts', 'Manage float accounts'],
  ['payments_payouts', 'Manage payouts'],
  ['cop_account_validations', 'Validate accounts (Confirmation of Payee)'],
]);

/** All scopes except the one whose tokens never expire. */
export const REVOCABLE_SCOPES: readonly string[] = [...SCOPES.keys()].filter(
  (scope) => scope !== 'offline_access',
);
