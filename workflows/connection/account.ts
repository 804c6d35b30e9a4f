// Whose grant a connection is: the account that has consented, as a hash alone. Plain JSON and pure.
import type { Instant } from '../../domain/facts/fact.js';

/** An operator says that the account may be another from this round of consent on. */
export interface Acceptance {
  by: string;
  reason: string;
}

export interface Account {
  /** The hash of the account that every later consent is compared with; absent where the provider has never shown one. */
  id?: string | undefined;
  /** Why it is another than it once was. */
  accepted?: (Acceptance & { at: Instant }) | undefined;
}

/** What the check of a pair has shown. `expired`: its access token ended first, and the pair must be refreshed to ask again. */
export type AccountCheck = { is: 'shown'; account: string } | { is: 'not_shown' } | { is: 'expired' };

/** What a consent amounts to, by the account that the provider shows for it. */
export type Verdict = 'taken' | 'other_account' | 'unconfirmed';

/** @param consenting undefined where the provider answers without an account: of a bound connection nothing can be compared then. */
export function judgeAccount(
  bound: Account | undefined,
  consenting: string | undefined,
  acceptance: Acceptance | undefined,
): Verdict {
  if (acceptance !== undefined || bound?.id === undefined || consenting === bound.id) return 'taken';
  return consenting === undefined ? 'unconfirmed' : 'other_account';
}

/** What a connection is bound to once a consent is taken. Of one that may be another's, and shows no account, nothing is known. */
export function boundTo(
  bound: Account | undefined,
  consenting: string | undefined,
  acceptance: Acceptance | undefined,
  now: Instant,
): Account {
  const isAccepted = acceptance !== undefined && consenting !== bound?.id;
  return {
    id: consenting ?? (isAccepted ? undefined : bound?.id),
    accepted: isAccepted ? { ...acceptance, at: now } : bound?.accepted,
  };
}
