// Which account a token belongs to: read from GET /user, and reduced to a hash before it leaves this file.
import { createHash } from 'node:crypto';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { User } from '../../payments-api/answers/resources.schema.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';

/** Separates this hash from any other of the same words. */
const DOMAIN = 'payto-agreements/account/1';

/**
 * Asks the provider once which account a token belongs to. The call takes no turn under the rate limit: on a busy connection the
 * consent of another account would stay unnoticed for long.
 * @returns the account's hash, or undefined where the provider answers without an account, or says that a scope is missing for it.
 * @throws PaymentsApiError where the call failed: then nothing is known of the account.
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
 * Nickname and ABN stand for the account, as the provider shows no id (docs/custody.md#the-account-of-a-connection). The list
 * keeps its form where one of them is missing, so that a nickname is never taken for an ABN.
 */
export function accountHash({ account }: User): string | undefined {
  const nickname = account?.nickname?.trim() || null;
  const abn = account?.abn?.replaceAll(/\D/g, '') || null;
  if (nickname === null && abn === null) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([DOMAIN, nickname, abn]))
    .digest('base64url');
}
