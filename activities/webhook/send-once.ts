// Sends one event to an endpoint now, in one attempt, apart from the feed: a test, or an event that was recorded.
import { randomUUID } from 'node:crypto';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { createSender } from './send.js';
import type { WebhookEndpoint, WebhookEvent } from '../../domain/records/webhooks.js';
import type { SentNow } from '../../workflows/webhook-endpoint/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface SendOnceArgs {
  endpointId: string;
  event: { test: true } | { eventId: string };
}

export type SendRefusal = 'endpoint_unknown' | 'event_unknown' | 'key_unconfirmed';

export function sendWebhookOnceActivity({ records, webhooks, now }: Dependencies) {
  /**
   * Also sends while the endpoint is disabled. @returns why it sent nothing, if it did not.
   * @throws the errors of the database.
   */
  return async function sendWebhookOnce({
    endpointId,
    event: named,
  }: SendOnceArgs): Promise<SentNow | { refused: SendRefusal }> {
    const endpoint = await records.readEndpoint(endpointId);
    if (endpoint === undefined) return { refused: 'endpoint_unknown' };
    if (!endpoint.isConfirmed) return { refused: 'key_unconfirmed' };
    const found =
      'test' in named ? testEvent(endpoint, now()) : await records.oneEvent(endpoint, named.eventId);
    if (found?.body === undefined) return { refused: 'event_unknown' };
    const { body, ...event } = found;
    const sender = createSender({ allowsPrivate: webhooks.allowsPrivate, connections: 1 });
    const at = now();
    const { url, secrets } = endpoint;
    const answer = await withHeartbeats(() => sender.send({ url, secrets, id: event.id, body })).finally(
      sender.close,
    );
    const outcome = answer.isDelivered ? 'delivered' : 'failed';
    const deliveryId = await records.storeManual(endpointId, { event, attempt: 1, at, outcome, answer });
    const { status, problem, durationMs } = answer;
    return { deliveryId, outcome, status, problem, durationMs };
  };
}

/** In the form of all events. It is not in the feed. */
function testEvent({ id: endpointId, form }: WebhookEndpoint, now: number): WebhookEvent & { body: string } {
  const type = 'webhook_endpoint.test';
  const id = `evt_test_${randomUUID()}`;
  const url = `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}`;
  const thin = {
    ...{ id, type, event_version: 1, created_at: new Date(now).toISOString(), connection: null },
    resource: { type: 'webhook_endpoint', uid: endpointId, version: 0, url },
    reason: { source: 'command', what: 'test', provider_event_id: null, principal: null, request: null },
  };
  const body = JSON.stringify(form === 'thin' ? thin : { ...thin, data: {}, flag: null, previous: null });
  const resource = 'webhook-endpoint';
  return { id, type, resource, uid: endpointId, workflowId: resource, place: [0, '0', 0], body };
}
