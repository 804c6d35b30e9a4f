// What the provider's refusals mean to a program. Which of its codes means which is said in payments-api/error-table.ts alone. Pure.

/** What a code means. Callers match this; the provider's own codes stay in the table. */
export const MEANINGS = [
  'duplicate_uid', // the uid is taken, perhaps by a lost attempt of our own
  'already_processing', // the same action is running already
  'amendment_pending', // another amendment awaits its outcome
  'no_amendment', // there is no amendment to recall
  'no_change', // what was asked for is so already
  'wrong_state', // the resource is in no state for it
  'terms_forbid', // what the payer accepted does not cover it
  'differs_from_agreement', // a party or an account is not the agreement's
  'invalid_request', // a value that is never valid: the caller must correct it
  'unknown_resource', // another resource that the request names does not exist
  'limit', // too many or too much for now
  'too_soon', // as 'limit', until a time that the detail names
  'insufficient_funds',
  'account_unusable', // a bank account or its bank cannot take part
  'alias_unknown', // a PayID that is not registered
  'unconfirmed', // the bank could not say whether the account is theirs
  'not_configured', // a service or permission that our account, or a client of ours, does not have
  'service_down', // a party behind the provider does not answer
  'unrecognised', // a new code of a family in this table
] as const;
export type Meaning = (typeof MEANINGS)[number];

export const isMeaning = (value: unknown): value is Meaning => MEANINGS.some((meaning) => meaning === value);
