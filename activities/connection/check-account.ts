import { Context } from '@temporalio/activity';
import { accessContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import { readFailure } from '../failure.js';
import { readAccount } from './account.js';
import type { PaymentsApi } from '../../payments-api/client.js';
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
