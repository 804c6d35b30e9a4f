// The meanings of the provider's refusals. Only payments-api/error-table.ts maps the provider's codes to them. Pure.

/** Callers match these meanings, never the provider's codes. */
export const MEANINGS = [
  'duplicate_uid', // The uid is taken, possibly by a lost attempt of our own.
  'already_processing', // The same action is in progress.
  'amendment_pending', // Another amendment is pending.
  'no_amendment', // There is no amendment to recall.
  'no_change', // The resource already has the requested state or value.
  'wrong_state', // The state of the resource does not allow the request.
  'terms_forbid', // The terms that the payer accepted do not allow it.
  'differs_from_agreement', // A party or an account differs from the agreement's.
  'invalid_request', // A value is invalid, and the caller must correct it.
  'unknown_resource', // The request names another resource that does not exist.
  'limit', // A limit of number or amount is reached for now, for example for today.
  'over_limit', // A limit of number or amount that time does not lift.
  'too_soon', // As `limit`, until the time in the detail.
  'insufficient_funds',
  'account_unusable', // A bank account, or its bank, cannot take part.
  'alias_unknown', // The PayID is not registered.
  'unconfirmed', // The bank could not confirm the account holder.
  'not_configured', // Our account or our client lacks a service or permission.
  'service_down', // A party behind the provider does not answer.
  'unrecognised', // An unknown code in a family that the table lists.
] as const;
export type Meaning = (typeof MEANINGS)[number];

export const isMeaning = (value: unknown): value is Meaning => MEANINGS.some((meaning) => meaning === value);
