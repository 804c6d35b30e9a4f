// Calls to the provider with a token that is good, and once more with a newer one when it turns out not to be.
// In:  every activity that talks to the payments API.
// Out: activities/tokens.ts.
import { PaymentsApiError } from '../payments-api/errors.js';
import { createTokens } from './tokens.js';
import type { TokenDependencies } from './tokens.js';

/** Makes a call with a good access token of a connection. */
export type WithAccess = <T>(connectionId: string, call: (accessToken: string) => Promise<T>) => Promise<T>;

/**
 * @returns a function that makes a call, and makes it once more with a newer token when the provider answers 401:
 * such a call has had no effect. A 403 never renews anything (design 5.1).
 */
export function createAccess(deps: TokenDependencies): WithAccess {
  const tokens = createTokens(deps);
  return async (connectionId, call) => {
    const token = await tokens.current(connectionId);
    try {
      return await call(token.accessToken);
    } catch (error) {
      if (!(error instanceof PaymentsApiError) || error.code !== 'unauthorised') throw error;
      const newer = await tokens.beyond(connectionId, token.generation);
      return call(newer.accessToken);
    }
  };
}
