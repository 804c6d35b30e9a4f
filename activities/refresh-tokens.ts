// In:  workflows/connection.ts needs a newer generation of tokens.
// Out: payments-api/oauth.ts, and back to the connection by signal before anything else can go wrong.
import { cancellationSignal } from '@temporalio/activity';
import { refreshContext } from '../sealing/contexts.js';
import { open } from '../sealing/keyring.js';
import { connectionWorkflowId, tokensRotated } from '../workflows/connection.contract.js';
import { writeFailure } from './failure.js';
import { sealTokens } from './seal-tokens.js';
import type { Dependencies } from './dependencies.js';

export interface RefreshTokensArgs {
  connectionId: string;
  /** The generation that is spent by this. */
  generation: number;
  sealedRefresh: string;
}

export function refreshTokensActivity(deps: Dependencies) {
  /** Spends a single-use refresh token. The new pair is in the connection's history before this returns. */
  return async function refreshTokens({
    connectionId,
    generation,
    sealedRefresh,
  }: RefreshTokensArgs): Promise<void> {
    const refreshToken = open(deps.keyring, sealedRefresh, refreshContext(connectionId, generation));
    const answer = await deps.oauth
      .refresh({ refreshToken, signal: cancellationSignal() })
      .catch((error: unknown) => {
        throw writeFailure(error);
      });
    const renewed = sealTokens(deps, connectionId, generation + 1, answer);
    await deps.temporal.workflow.getHandle(connectionWorkflowId(connectionId)).signal(tokensRotated, renewed);
  };
}
