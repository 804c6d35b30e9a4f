// Reads from GET /user which account a token belongs to. Only a hash of the account leaves this file.
import { createHash } from 'node:crypto';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { User } from '../../payments-api/answers/resources.schema.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';

/** Separates this hash from other hashes of the same input. */
const DOMAIN = 'payto-agreements/account/1';

/**
 * Fetches the account of a token once. The call bypasses the rate limit: on a busy connection, consent for another account would otherwise
 * stay unnoticed for long.
 * @returns the account's hash, or undefined if the provider returns no account or reports that a scope is missing.
 * @throws PaymentsApiError if the call failed. The account is then unknown.
 */
export async function readAccount(
  { getUser }: Pick<PaymentsApi, 'getUser'>,
  { accessToken, signal }: Pick<Call, 'accessToken' | 'signal'>,
): Promise<string | undefined> {
  try {
    return accountHash(await getUser({ accessToken, signal }));
  } catch (error) {
    if (error instanceof PaymentsApiError && error.lacksScope === true) return undefined;
    throw error;
  }
}

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
