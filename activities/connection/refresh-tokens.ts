import { setTimeout } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/common';
import { refreshContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import { connectionWorkflowId, tokensRotated } from '../../workflows/connection/contract.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { writeFailure } from '../failure.js';
import { sealTokens } from '../tokens/seal.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { SealedTokens } from '../../workflows/connection/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface RefreshTokensArgs {
  connectionId: string;
  /** When it was begun: another may have been begun under its id by the time the pair comes home. */
  life: Instant;
  /** The generation that is spent by this. */
  generation: number;
  sealedRefresh: string;
  /** The pair's account is not confirmed, and neither is that of the pair that takes its place. */
  isUnconfirmed?: true | undefined;
}

/** How often the signal is tried, and how long between two tries: ten minutes, however long this attempt is waited for. */
const SIGNAL_TRIES = 600;
const AGAIN_MS = 1000;

type Needed = Pick<Dependencies, 'keyring' | 'oauth' | 'temporal' | 'now'>;

/** One attempt: a refresh token can be used once. @throws ApplicationFailure with a `CallCode` as its type. */
export function refreshTokensActivity(deps: Needed) {
  /**
   * Spends a single-use refresh token. The new pair is in the connection's history before this returns. Never cancelled:
   * what the server has done by then stands, and to hang up would only lose it.
   */
  return async function refreshTokens(args: RefreshTokensArgs): Promise<SealedTokens> {
    const { connectionId, life, generation, sealedRefresh, isUnconfirmed } = args;
    const refreshToken = open(deps.keyring, sealedRefresh, refreshContext(connectionId, generation));
    return withHeartbeats(async () => {
      const answer = await deps.oauth.refresh({ refreshToken }).catch((error: unknown) => {
        throw writeFailure(error);
      });
      const sealed = sealTokens(deps, connectionId, generation + 1, answer);
      const renewed = { ...sealed, life, ...(isUnconfirmed && { isUnconfirmed }) };
      await signalRotated(deps, connectionId, renewed);
      return renewed;
    });
  };
}

/**
 * By signal, so that it arrives even when this attempt is no longer waited for. Failing that, the result still may. Tries are
 * counted, and not time: a process that was frozen still has them when it runs on.
 */
async function signalRotated(
  { temporal }: Needed,
  connectionId: string,
  renewed: SealedTokens,
): Promise<void> {
  const connection = temporal.workflow.getHandle(connectionWorkflowId(connectionId));
  for (let left = SIGNAL_TRIES; left > 0; left -= 1) {
    try {
      return await connection.signal(tokensRotated, renewed);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
    }
    await setTimeout(AGAIN_MS);
  }
}
