// Calls to the provider with a token that is good, and once more with a newer one when it turns out not to be.
// In:  every activity that talks to the payments API.
// Out: activities/tokens.ts.
import { PaymentsApiError } from '../payments-api/errors.js';
import { createTokens } from './tokens.js';
import type { TokenDependencies } from './tokens.js';

/** Makes a call with a good access token of a connection. */
export type WithAccess = <T>(connectionId: string, call: (accessToken: string) => Promise<T>) => Promise<T>;

/**
 * @returns a function that makes a call, and once more with a newer token: after a 401, which had no effect, one that is
 * asked for; after a 403 only one that a person's consent has brought meanwhile, as no renewal adds a scope (design 5.1).
 */
export function createAccess(deps: TokenDependencies): WithAccess {
  const tokens = createTokens(deps);
  return async (connectionId, call) => {
    const token = await tokens.current(connectionId);
    try {
      return await call(token.accessToken);
    } catch (error) {
      const code = error instanceof PaymentsApiError ? error.code : undefined;
      if (code === 'unauthorised')
        return call((await tokens.beyond(connectionId, token.generation)).accessToken);
      if (code !== 'forbidden') throw error;
      const standing = await tokens.standing(connectionId);
      if (standing.generation === token.generation) throw error;
      return call(standing.accessToken);
    }
  };
}
