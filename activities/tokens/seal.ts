// Seals the authorisation server's answer. After this, tokens exist only in sealed form.
import { accessContext, refreshContext } from '../../sealing/contexts.js';
import { seal } from '../../sealing/keyring.js';
import type { TokenAnswer } from '../../payments-api/oauth.js';
import type { SealedTokens } from '../../workflows/connection/contract.js';
import type { Dependencies } from '../dependencies.js';

/** A token is refreshed at a random point between these fractions of its lifetime, to spread the refreshes. */
const REFRESH_FROM = 0.8;
const REFRESH_TO = 0.9;

export function sealTokens(
  { tokenKeys, now }: Pick<Dependencies, 'tokenKeys' | 'now'>,
  connectionId: string,
  generation: number,
  { accessToken, refreshToken, expiresInSeconds, scope }: TokenAnswer,
): SealedTokens {
  const lifeMs = expiresInSeconds * 1000;
  const share = REFRESH_FROM + (REFRESH_TO - REFRESH_FROM) * Math.random();
  return {
    generation,
    expiresAt: new Date(now() + lifeMs).toISOString(),
    refreshAt: new Date(now() + lifeMs * share).toISOString(),
    scope,
    sealedAccess: seal(tokenKeys, accessToken, accessContext(connectionId, generation)),
    sealedRefresh: seal(tokenKeys, refreshToken, refreshContext(connectionId, generation)),
  };
}
