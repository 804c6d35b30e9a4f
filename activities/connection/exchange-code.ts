import { callCodeOf } from '../../domain/provider/call-codes.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { codeContext } from '../../sealing/contexts.js';
import { openSealedTo } from '../../sealing/public-key.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { requireOnlyAttempt } from '../attempts/only.js';
import { writeFailure } from '../failure.js';
import { sealTokens } from '../tokens/seal.js';
import { readAccount } from './check-account.js';
import type { PaymentsApi } from '../../payments-api/client.js';
import type { TokenAnswer } from '../../payments-api/oauth.js';
import type { ConsentedTokens } from '../../workflows/connection/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface ExchangeCodeArgs {
  connectionId: string;
  round: number;
  generation: number;
  sealedCode: string;
  /** Present if the consent link used PKCE. */
  sealedVerifier?: string | undefined;
}

/** Short because a person is waiting. The workflow repeats a failed check. */
const ACCOUNT_MS = 5000;

interface Needed extends Pick<Dependencies, 'tokenKeys' | 'oauth' | 'now'> {
  payments: Pick<PaymentsApi, 'getUser'>;
}

/** Makes one attempt, because a code can be exchanged once. @throws ApplicationFailure with a `CallCode` as its type. */
export function exchangeCodeActivity(deps: Needed) {
  /** Exchanges a code for tokens. Never cancelled: closing the connection could lose the pair that the server has just issued. */
  return async function exchangeCode(args: ExchangeCodeArgs): Promise<ConsentedTokens> {
    requireOnlyAttempt();
    const { connectionId, round, generation, sealedCode, sealedVerifier } = args;
    const opened = (sealed: string): Promise<string> =>
      openSealedTo(deps.tokenKeys, sealed, codeContext(connectionId, round));
    const code = await opened(sealedCode);
    const codeVerifier = sealedVerifier === undefined ? undefined : await opened(sealedVerifier);
    try {
      return await withHeartbeats(async () => {
        const answer = await deps.oauth.exchangeCode({ code, codeVerifier });
        const tokens = sealTokens(deps, connectionId, generation, answer);
        return { ...tokens, ...(await accountOf(deps, answer)) };
      });
    } catch (error) {
      throw writeFailure(error);
    }
  };
}

/** The code is spent and the pair must not be lost. So a failed account check does not fail the exchange. */
async function accountOf(
  { payments }: Needed,
  { accessToken }: TokenAnswer,
): Promise<Pick<ConsentedTokens, 'account' | 'checkFailed'>> {
  try {
    return { account: await readAccount(payments, { accessToken, signal: AbortSignal.timeout(ACCOUNT_MS) }) };
  } catch (error) {
    return { checkFailed: callCodeOf(error instanceof PaymentsApiError ? error.code : undefined) };
  }
}
