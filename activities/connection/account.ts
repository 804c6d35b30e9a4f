// Reads from GET /user which account a token belongs to. Only a hash of the account leaves this file.
import { accountHash } from '../../payments-api/account-hash.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';

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
