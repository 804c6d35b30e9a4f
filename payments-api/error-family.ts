// What a row of the tables in error-families*.ts says of one of the provider's codes. Words only: it decides nothing.

/** What a code means, in our own closed words. Callers match this where the provider's numbers would tie them down. */
export type Meaning =
  | 'duplicate_uid' // the uid is taken, perhaps by a lost attempt of our own
  | 'invalid_request' // a value that is never good: ours to mend
  | 'state_forbids' // the resource is in no state for it
  | 'in_progress' // the same action is running already
  | 'nothing_to_do' // what was asked for is so already
  | 'terms_forbid' // what the payer accepted does not cover it
  | 'differs_from_agreement' // a party or an account is not the agreement's
  | 'limit_reached' // too many or too much for now
  | 'account_unusable' // a bank account or its bank cannot take part
  | 'alias_unknown' // a PayID that nobody has
  | 'insufficient_funds'
  | 'unconfirmed' // the bank could not say whether the account is theirs
  | 'unknown_resource' // another resource that is named does not exist
  | 'not_configured' // a service or right that our account, or a client of ours, does not have
  | 'service_down'; // a party behind the provider does not answer

/** When the same call may help: never, after a pause, or only once a look has shown what is there. */
export type Again = 'never' | 'later' | 'look_up';

export interface ErrorRow {
  means: Meaning;
  retry: Again;
  /** One plain sentence: what a person should do. */
  advice: string;
}

export interface ErrorFamily {
  /** For codes of the family that are not known yet. */
  otherwise: ErrorRow;
  /** By the two digits of the code. */
  codes: Readonly<Record<string, ErrorRow>>;
}

/** By the letters of the code. */
export type ErrorFamilies = Readonly<Record<string, ErrorFamily>>;

export const row = (means: Meaning, retry: Again, advice: string): ErrorRow => ({ means, retry, advice });
