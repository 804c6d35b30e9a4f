// Identifies the account of a grant by a hash, so that we need not store its name.
import { createHash } from 'node:crypto';
import type { User } from './answers/resources.schema.js';

/** Separates this hash from other hashes of the same input. */
const DOMAIN = 'payto-agreements/account/1';

/**
 * The provider returns no account id, so nickname and ABN identify the account (docs/custody.md#the-account-of-a-connection). A missing
 * value stays in the list as null, so that a nickname is never mistaken for an ABN.
 */
export function accountHash({ account }: User): string | undefined {
  const nickname = account?.nickname?.trim() || null;
  const abn = account?.abn?.replaceAll(/\D/g, '') || null;
  if (nickname === null && abn === null) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([DOMAIN, nickname, abn]))
    .digest('base64url');
}
