// The account that owns a connection's grant, stored only as a hash. Plain JSON and pure.
import type { Instant } from '../../domain/facts/fact.js';

/** An operator allows this round of consent to come from another account. */
export interface Acceptance {
  by: string;
  reason: string;
}

export interface Account {
  /** The hash of the account that each later consent is compared with. Absent if the provider has never shown one. */
  id?: string | undefined;
  /** Who allowed the account to change, and why. */
  accepted?: (Acceptance & { at: Instant }) | undefined;
}

/** The result of an account check. `expired`: the access token expired first. Refresh the pair, then check again. */
export type AccountCheck = { is: 'shown'; account: string } | { is: 'not_shown' } | { is: 'expired' };

/** What the first account of a connection must be, and who may say so. */
export interface Ownership {
  bound?: Account | undefined;
  /** The hash of the account that the caller expects at the first consent. */
  expected?: string | undefined;
  /** A person must confirm the first account, unless it is the expected one. */
  needsConfirmation: boolean;
}

/** The decision on a consent, by the account that the provider shows for it. `to_confirm`: a person must decide whose account it is. */
export type Verdict = 'taken' | 'other_account' | 'not_shown' | 'to_confirm';

/** @param consenting undefined if the provider answered without an account. It can then not be compared with another one. */
export function judgeAccount(
  { bound, expected, needsConfirmation }: Ownership,
  consenting: string | undefined,
  acceptance: Acceptance | undefined,
): Verdict {
  const owner = bound?.id ?? expected;
  if (acceptance !== undefined || (owner !== undefined && consenting === owner)) return 'taken';
  if (owner === undefined) return needsConfirmation ? 'to_confirm' : 'taken';
  return consenting === undefined ? 'not_shown' : 'other_account';
}

/** The account of the connection after a consent. If an operator allowed another account and the provider shows none, it is unknown. */
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
