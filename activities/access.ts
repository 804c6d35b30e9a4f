// Calls to the provider with a token that is good, and once more with a newer one when it turns out not to be.
// In:  every activity that talks to the payments API.
// Out: activities/tokens.ts.
import { cancellationSignal } from '@temporalio/activity';
import { PaymentsApiError } from '../payments-api/errors.js';
import { createTokens } from './tokens.js';
import type { Call } from '../payments-api/client.js';
import type { Token, TokenDependencies } from './tokens.js';

/**
 * Lets work be done with a call of a connection: a good access token, the connection's budget, and the activity's own
 * cancellation. It is handed over whole, so that no activity can leave out a part.
 */
export type WithAccess = <T>(connectionId: string, work: (call: Call) => Promise<T>) => Promise<T>;

/**
 * @returns a function that does the work, and once more with a newer token: after a 401, which had no effect, one that is
 * asked for; after a 403 only one that a person's consent has brought meanwhile, as no renewal adds a scope (design 5.1).
 */
export function createAccess(deps: TokenDependencies): WithAccess {
  const tokens = createTokens(deps);
  return async (connectionId, work) => {
    const workWith = ({ accessToken }: Token) =>
      work({ accessToken, connectionId, signal: cancellationSignal() });
    const token = await tokens.current(connectionId);
    try {
      return await workWith(token);
    } catch (error) {
      const code = error instanceof PaymentsApiError ? error.code : undefined;
      if (code === 'unauthorised') return workWith(await tokens.beyond(connectionId, token.generation));
      if (code !== 'forbidden') throw error;
      const standing = await tokens.standing(connectionId);
      if (standing.generation === token.generation) throw error;
      return workWith(standing);
    }
  };
}
