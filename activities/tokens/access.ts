// Calls to the provider with a token that is good, and again with a newer one when it turns out not to be.
import { Context } from '@temporalio/activity';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createTokenAges } from './age.js';
import { createTokens } from './current.js';
import type { Call } from '../../payments-api/client.js';
import type { Token, TokenDependencies } from './current.js';

/**
 * Lets work be done with a call of a connection: a good access token, the connection's budget, and the activity's own
 * cancellation. It is handed over whole, so that no activity can leave out a part.
 */
export type WithAccess = <T>(connectionId: string, work: (call: Call) => Promise<T>) => Promise<T>;

/**
 * @returns a function that does the work, and again with a newer token: after a 401, which had no effect, one that is
 * asked for; after a 403 only one that a person's consent has brought meanwhile, as no renewal adds a scope (docs/custody.md#the-life-of-a-token).
 * A token that is refused within a minute of taking another's place is not renewed for that: what refuses it will refuse
 * the next. It fails as `unauthorised`, with the rest of that minute as `retryAfterMs`.
 */
export function createAccess(deps: TokenDependencies): WithAccess {
  const tokens = createTokens(deps);
  const ages = createTokenAges(deps.now);

  /** Where there is none, what was met is thrown. */
  const nextAfter = async (error: unknown, connectionId: string, token: Token): Promise<Token> => {
    if (!(error instanceof PaymentsApiError)) throw error;
    if (error.code === 'unauthorised') {
      const youngForMs = ages.youngForMs(connectionId, token);
      if (youngForMs > 0) throw refusedAnew(error, youngForMs);
      return tokens.beyond(connectionId, token.generation);
    }
    if (error.code !== 'forbidden') throw error;
    const status = await tokens.latest(connectionId);
    if (status.accessToken === token.accessToken) throw error;
    return status;
  };

  return async (connectionId, work) => {
    const { cancellationSignal: signal } = Context.current();
    const queueAs = queueAsIn(Context.current());
    // Each turn has another token than the one before, which is then new to the queue: so there are few of them.
    for (let token = await tokens.current(connectionId); ;) {
      ages.meet(connectionId, token);
      try {
        return await work({ accessToken: token.accessToken, connectionId, signal, queueAs });
      } catch (error) {
        token = await nextAfter(error, connectionId, token);
      }
    }
  };
}

/** Each attempt is a work of its own; a later one, of whatever run, is the same holder come back. */
const queueAsIn = (attempt: Context): Call['queueAs'] => ({
  holder: `${attempt.info.workflowExecution?.workflowId ?? ''} ${attempt.info.activityType}`,
  work: attempt,
});

function refusedAnew(
  { message, status, problems, requestId }: PaymentsApiError,
  retryAfterMs: number,
): PaymentsApiError {
  const met = `${message}; with a token that is new, which is not renewed for another ${Math.ceil(retryAfterMs / 1000)} s`;
  return new PaymentsApiError('unauthorised', met, { status, problems, requestId, retryAfterMs });
}
