// Confirms the API keys to the endpoints for webhooks that they made: without a confirmation for some minutes, an endpoint receives nothing.
import { traceOf } from '../../telemetry/logger.js';
import type { WebhookEndpointsGateway } from '../gateway/webhook-endpoints.js';
import type { ApiDependencies } from './dependencies.js';

const CONFIRMED_EVERY_MS = 20_000;

type Needed = Pick<ApiDependencies, 'keys' | 'clock' | 'log'> & {
  temporal: { webhookEndpoints: Pick<WebhookEndpointsGateway, 'confirmKeys'> };
};

/** Until the signal aborts. The first round starts the workflows of all endpoints, also if Temporal has lost them. */
export async function keepKeysConfirmed(
  { keys, clock, log, temporal }: Needed,
  signal: AbortSignal,
): Promise<void> {
  let which: 'all' | 'undelivered' = 'all';
  let hasFailed = false;
  while (!signal.aborted) {
    try {
      await temporal.webhookEndpoints.confirmKeys(keys().map(confirmed), which);
      [which, hasFailed] = ['undelivered', false];
    } catch (error) {
      if (!hasFailed) log.warn('keys of webhook endpoints not confirmed', traceOf(error));
      hasFailed = true;
    }
    await clock.pause(CONFIRMED_EVERY_MS, signal);
  }
}

const confirmed = ({ id, principal, scopes, connections }: ReturnType<ApiDependencies['keys']>[number]) => ({
  ...{ id, principal, scopes, connections },
});
