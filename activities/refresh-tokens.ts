// In:  workflows/connection.ts needs a newer generation of tokens.
// Out: payments-api/oauth.ts, and back to the connection by signal before anything else can go wrong.
import { setTimeout } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/common';
import { refreshContext } from '../sealing/contexts.js';
import { open } from '../sealing/keyring.js';
import { connectionWorkflowId, tokensRotated } from '../workflows/connection.contract.js';
import { writeFailure } from './failure.js';
import { sealTokens } from './seal-tokens.js';
import type { SealedTokens } from '../workflows/connection.contract.js';
import type { Dependencies } from './dependencies.js';

export interface RefreshTokensArgs {
  connectionId: string;
  /** The generation that is spent by this. */
  generation: number;
  sealedRefresh: string;
}

/** How long the signal is tried, and how long between two tries: the pair must not be lost because Temporal is away. */
const HOMEWARD_MS = 30_000;
const AGAIN_MS = 500;

export function refreshTokensActivity(deps: Dependencies) {
  /** Spends a single-use refresh token. The new pair is in the connection's history before this returns. */
  return async function refreshTokens(args: RefreshTokensArgs): Promise<SealedTokens> {
    const { connectionId, generation, sealedRefresh } = args;
    const refreshToken = open(deps.keyring, sealedRefresh, refreshContext(connectionId, generation));
    const answer = await deps.oauth
      .refresh({ refreshToken, signal: cancellationSignal() })
      .catch((error: unknown) => {
        throw writeFailure(error);
      });
    const renewed = sealTokens(deps, connectionId, generation + 1, answer);
    await bringHome(deps, connectionId, renewed);
    return renewed;
  };
}

/** By signal, so that it arrives even when this attempt is no longer waited for. Failing that, the result still may. */
async function bringHome(
  { temporal, now }: Dependencies,
  connectionId: string,
  renewed: SealedTokens,
): Promise<void> {
  const connection = temporal.workflow.getHandle(connectionWorkflowId(connectionId));
  for (const until = now() + HOMEWARD_MS; ; await setTimeout(AGAIN_MS)) {
    try {
      return await connection.signal(tokensRotated, renewed);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || now() > until) return;
    }
  }
}
