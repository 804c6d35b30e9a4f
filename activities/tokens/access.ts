// Makes calls to the provider with a valid token. If the provider refuses it, repeats the call with a newer one.
import { Context } from '@temporalio/activity';
import { EVENT_RESOURCES } from '../../domain/resources.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { createTokenAges } from './age.js';
import { createTokens, type Token, type TokenDependencies } from './current.js';
import { taskQueueOf } from '../../workflows/contracts/every-workflow.js';
import { readName } from '../../workflows/contracts/reads.js';
import type { Call } from '../../payments-api/client.js';
import type { Share } from '../../payments-api/rate/bucket.js';

/**
 * Does work with a call of a connection: a valid access token, the connection's rate limit, and the activity's cancellation signal. They are
 * passed as one object, so that no activity can omit a part.
 */
export type WithAccess = <T>(connectionId: string, work: (call: Call) => Promise<T>) => Promise<T>;

/**
 * @returns a function that does the work, and repeats it if the provider refuses the token. After a 401, which had no effect, it requests a
 *   newer token. After a 403 it uses a newer token only if a person has consented again, because a refresh adds no scope
 *   (docs/custody.md#the-life-of-a-token). A token that is refused within a minute after it replaced another one is not refreshed, because the
 *   next one would be refused too. The call then fails as `unauthorised`, with the rest of that minute as `retryAfterMs`.
 */
export function createAccess(deps: TokenDependencies): WithAccess {
  const tokens = createTokens(deps);
  const ages = createTokenAges(deps.now);

  /** @throws the given error if there is no newer token. */
  const nextAfter = async (error: unknown, connectionId: string, token: Token): Promise<Token> => {
    if (!(error instanceof PaymentsApiError)) throw error;
    if (error.code === 'unauthorised') {
      const youngForMs = ages.youngForMs(connectionId, token);
      if (youngForMs > 0) throw refusedAnew(error, youngForMs);
      return tokens.refreshed(connectionId, token.generation);
    }
    if (error.code !== 'forbidden') throw error;
    const status = await tokens.latest(connectionId);
    if (status.accessToken === token.accessToken) throw error;
    return status;
  };

  return async (connectionId, work) => {
    const { cancellationSignal: signal } = Context.current();
    const queueAs = queueAsIn(Context.current());
    // Each iteration has another token than the previous one, so there are only a few.
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

/** Each attempt is separate work. A later attempt counts as the same holder, also in another run. */
const queueAsIn = (attempt: Context): Call['queueAs'] => ({
  holder: `${attempt.info.workflowExecution?.workflowId ?? ''} ${attempt.info.activityType}`,
  work: attempt,
  share: shareIn(attempt.info),
});

/** The activities that look for a resource which only a webhook has named. */
const ADOPTIONS: ReadonlySet<string> = new Set([
  ...EVENT_RESOURCES.map((resource) => readName('adopt', resource)),
  'followIfThere',
]);

function shareIn({ activityType, taskQueue }: Context['info']): Share | undefined {
  if (ADOPTIONS.has(activityType)) return 'orphans';
  return taskQueue.endsWith(READS_QUEUE) ? 'reads' : undefined;
}
const READS_QUEUE = taskQueueOf('', 'reads');

function refusedAnew(
  { message, status, problems, requestId }: PaymentsApiError,
  retryAfterMs: number,
): PaymentsApiError {
  const met = `${message}; the refused token is new and will not be refreshed for another ${Math.ceil(retryAfterMs / 1000)} s`;
  return new PaymentsApiError('unauthorised', met, { status, problems, requestId, retryAfterMs });
}
