import { codeContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { writeFailure } from '../failure.js';
import { sealTokens } from '../tokens/seal.js';
import type { PaymentsApi } from '../../payments-api/client.js';
import type { TokenAnswer } from '../../payments-api/oauth.js';
import type { ConsentedTokens } from '../../workflows/connection/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface ExchangeCodeArgs {
  connectionId: string;
  round: number;
  generation: number;
  sealedCode: string;
  /** Where the link was made with PKCE. */
  sealedVerifier?: string | undefined;
}

/** A person waits meanwhile; and the tokens are good whether or not it is known whose they are. */
const ACCOUNT_MS = 5000;
/** An id, and nothing that could be a name or an address. */
const ID = /^[\w-]{1,64}$/;

interface Needed extends Pick<Dependencies, 'keyring' | 'oauth' | 'now'> {
  payments: Pick<PaymentsApi, 'getUser'>;
}

/** One attempt: a code can be exchanged once. @throws ApplicationFailure with a `CallCode` as its type. */
export function exchangeCodeActivity(deps: Needed) {
  /** Uses up a code. Never cancelled: to hang up on the server would lose the pair that it has just made. */
  return async function exchangeCode(args: ExchangeCodeArgs): Promise<ConsentedTokens> {
    const { connectionId, round, generation, sealedCode, sealedVerifier } = args;
    const opened = (sealed: string): string => open(deps.keyring, sealed, codeContext(connectionId, round));
    const code = opened(sealedCode);
    const codeVerifier = sealedVerifier === undefined ? undefined : opened(sealedVerifier);
    try {
      return await withHeartbeats(async () => {
        const answer = await deps.oauth.exchangeCode({ code, codeVerifier });
        const tokens = sealTokens(deps, connectionId, generation, answer);
        return { ...tokens, account: await accountOf(deps, answer) };
      });
    } catch (error) {
      throw writeFailure(error);
    }
  };
}

/**
 * The id alone: the name of a merchant goes nowhere. Nothing where the provider does not show it, for whatever reason. No turn is
 * waited for under the rate limit: on a busy connection another's consent would go unnoticed.
 */
async function accountOf({ payments }: Needed, { accessToken }: TokenAnswer): Promise<string | undefined> {
  const call = { accessToken, signal: AbortSignal.timeout(ACCOUNT_MS) };
  const user = await payments.getUser(call).catch(() => undefined);
  const id = user?.account?.id;
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}
