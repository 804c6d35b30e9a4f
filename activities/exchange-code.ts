// In:  workflows/connection/consent.ts has a code that a person's consent brought.
// Out: payments-api/oauth.ts.
import { codeContext } from '../sealing/contexts.js';
import { open } from '../sealing/keyring.js';
import { withHeartbeats } from './heartbeat.js';
import { writeFailure } from './failure.js';
import { sealTokens } from './tokens/seal.js';
import type { SealedTokens } from '../workflows/connection/contract.js';
import type { Dependencies } from './dependencies.js';

export interface ExchangeCodeArgs {
  connectionId: string;
  round: number;
  generation: number;
  sealedCode: string;
  /** Where the link was made with PKCE. */
  sealedVerifier?: string | undefined;
}

export function exchangeCodeActivity(deps: Pick<Dependencies, 'keyring' | 'oauth' | 'now'>) {
  /** Uses up a code. Never cancelled: to hang up on the server would lose the pair that it has just made. */
  return async function exchangeCode(args: ExchangeCodeArgs): Promise<SealedTokens> {
    const { connectionId, round, generation, sealedCode, sealedVerifier } = args;
    const opened = (sealed: string): string => open(deps.keyring, sealed, codeContext(connectionId, round));
    const code = opened(sealedCode);
    const codeVerifier = sealedVerifier === undefined ? undefined : opened(sealedVerifier);
    try {
      const answer = await withHeartbeats(() => deps.oauth.exchangeCode({ code, codeVerifier }));
      return sealTokens(deps, connectionId, generation, answer);
    } catch (error) {
      throw writeFailure(error);
    }
  };
}
