// Whose grant a connection is: the account that has consented, by the provider's id alone. Plain JSON and pure.
import type { Instant } from '../../domain/facts/fact.js';

/** An operator says that the account may be another from this round of consent on. */
export interface Acceptance {
  by: string;
  reason: string;
}

export interface Account {
  /** That of the newest consent which showed one, and which every later one is held to. */
  id?: string | undefined;
  /** Whether the newest consent showed its account. */
  isConfirmed: boolean;
  /** Why it is another than it once was. */
  accepted?: (Acceptance & { at: Instant }) | undefined;
}

/** Compared only where both consents showed their account. */
export const isOtherAccount = (
  bound: Account | undefined,
  consenting: string | undefined,
  acceptance: Acceptance | undefined,
): boolean =>
  acceptance === undefined && bound?.id !== undefined && consenting !== undefined && consenting !== bound.id;

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
    isConfirmed: consenting !== undefined,
    accepted: isAccepted ? { ...acceptance, at: now } : bound?.accepted,
  };
}
