// The closed lists of values in the provider's requests (docs/provider.md#agreements-creation, #agreements-actions). Pure.

// prettier-ignore
export const PURPOSES = [
  'mortgage', 'utility', 'loan', 'dependant_support', 'gambling', 'retail',
  'salary', 'personal', 'government', 'pension', 'tax', 'other',
] as const;
export const ACCOUNT_TYPES = [
  'bban',
  'alias_phone',
  'alias_email',
  'alias_abn',
  'alias_organisation_identifier',
] as const;
export const TERMS_TYPES = ['fixed', 'balloon', 'variable', 'usage_based'] as const;
// prettier-ignore
export const FREQUENCIES = [
  'adhoc', 'daily', 'weekly', 'fortnightly', 'monthly', 'quarterly', 'semi_annual', 'annual',
] as const;
export const PRIORITIES = ['attended', 'unattended'] as const;

/** The first is the default. */
export const SUSPENSION_REASONS = [
  'initiating_party_requested',
  'customer_requested',
  'mandate_suspended_final_collection',
  'mandate_suspended_one_collection',
] as const;
export const CANCELLATION_REASONS = [...SUSPENSION_REASONS, 'mandate_expired'] as const;
