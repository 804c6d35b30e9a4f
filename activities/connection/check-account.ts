// Reads from GET /user which account a token belongs to. Only a hash of the account leaves this file.
import { Context } from '@temporalio/activity';
import { accessContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import { readFailure } from '../failure.js';
import { accountHash } from '../../payments-api/account-hash.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { AccountCheck, SealedTokens } from '../../workflows/connection/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface CheckAccountArgs extends Pick<SealedTokens, 'generation' | 'expiresAt' | 'sealedAccess'> {
  connectionId: string;
}

interface Needed extends Pick<Dependencies, 'tokenKeys' | 'now'> {
  payments: Pick<PaymentsApi, 'getUser'>;
}

export function checkAccountActivity({ tokenKeys, now, payments }: Needed) {
  /**
   * Checks which account an unconfirmed token pair belongs to. Temporal retries it until the provider answers.
   * @throws ApplicationFailure with a `CallCode` as its type; SealError
   */
  return async function checkAccount(args: CheckAccountArgs): Promise<AccountCheck> {
    const { connectionId, generation, expiresAt, sealedAccess } = args;
    if (now() >= Date.parse(expiresAt)) return { is: 'expired' };
    const accessToken = open(tokenKeys, sealedAccess, accessContext(connectionId, generation));
    const call = { accessToken, signal: Context.current().cancellationSignal };
    const account = await readAccount(payments, call).catch((error: unknown) => {
      throw readFailure(error);
    });
    return account === undefined ? { is: 'not_shown' } : { is: 'shown', account };
  };
}

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
