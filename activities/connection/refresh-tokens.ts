import { setTimeout } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/common';
import { refreshContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import {
  connectionWorkflowId,
  tokensRefreshed,
  type SealedTokens,
} from '../../workflows/connection/contract.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { requireOnlyAttempt } from '../attempts/only.js';
import { writeFailure } from '../failure.js';
import { sealTokens } from '../tokens/seal.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Dependencies } from '../dependencies.js';

export interface RefreshTokensArgs {
  connectionId: string;
  /** When the connection was created. Another one may have the same id by the time the new pair arrives. */
  life: Instant;
  /** The generation that this refresh replaces. */
  generation: number;
  sealedRefresh: string;
  /** The account of this pair is not confirmed, so the account of the next pair is not confirmed either. */
  isUnconfirmed?: true | undefined;
}

/** The signal is tried for ten minutes, even after Temporal has timed out this attempt. */
const SIGNAL_TRIES = 600;
const AGAIN_MS = 1000;

type Needed = Pick<Dependencies, 'tokenKeys' | 'oauth' | 'temporal' | 'now'>;

/**
 * Spends a single-use refresh token, so it makes one attempt. If the answer has none, the same token is sealed again for the next generation.
 * The new pair is in the connection's history before this returns. Never cancelled: the server may have issued the pair already, and closing
 * the connection would lose it. @throws ApplicationFailure with a `CallCode` as its type.
 */
export function refreshTokensActivity(deps: Needed) {
  return async function refreshTokens(args: RefreshTokensArgs): Promise<SealedTokens> {
    requireOnlyAttempt();
    const { connectionId, life, generation, sealedRefresh, isUnconfirmed } = args;
    const spent = open(deps.tokenKeys, sealedRefresh, refreshContext(connectionId, generation));
    return withHeartbeats(async () => {
      const answer = await deps.oauth.refresh({ refreshToken: spent }).catch((error: unknown) => {
        throw writeFailure(error);
      });
      const { refreshToken = spent } = answer;
      const refreshed = {
        ...sealTokens(deps, connectionId, generation + 1, { ...answer, refreshToken }),
        ...(answer.refreshToken === undefined && { refreshKeptAt: new Date(deps.now()).toISOString() }),
        life,
        ...(isUnconfirmed && { isUnconfirmed }),
      };
      await signalTokens(deps, connectionId, refreshed);
      return refreshed;
    });
  };
}

/**
 * A signal arrives even if Temporal has timed out this attempt. If the signal fails, the activity's result may still arrive. The limit
 * counts tries instead of time, so that a suspended process still has its tries when it resumes.
 */
async function signalTokens({ temporal }: Needed, connectionId: string, tokens: SealedTokens): Promise<void> {
  const connection = temporal.workflow.getHandle(connectionWorkflowId(connectionId));
  for (let left = SIGNAL_TRIES; left > 0; left -= 1) {
    try {
      return await connection.signal(tokensRefreshed, tokens);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
    }
    await setTimeout(AGAIN_MS);
  }
}
