// Publishes an event: assigns its id and time, stores it in the agreement's history, and queues its webhook.
import type { Store } from '../store/document.js';
import type { Metadata } from '../store/entities.schema.js';
import type { EventBody, PublishedEvent, ResourceType } from '../store/webhook.schema.js';
import type { Clock } from '../time/clock.js';
import { eventId, formatWebhook } from './envelope.js';
import type { WebhookQueue } from './queue.js';

interface Publisher {
  store: Store;
  clock: Clock;
  webhooks: WebhookQueue;
  settings: { baseUrl: string };
}

interface Happening {
  type: string;
  resource_type: ResourceType;
  resource_uid: string;
  lane: string;
  body: EventBody;
  metadata: Metadata | null;
}

export function publish(publisher: Publisher, happening: Happening): PublishedEvent {
  const { store, clock, webhooks, settings } = publisher;
  const published_at = clock.iso();
  const history = store.events.get(happening.lane) ?? [];
  const twins = history.filter((other) => other.published_at === published_at).length;
  const event: PublishedEvent = { ...happening, id: eventId(Date.parse(published_at), twins), published_at };
  if (event.resource_type === 'payto_agreement') store.events.set(event.resource_uid, [...history, event]);
  webhooks.enqueue({
    event_id: event.id,
    event_type: event.type,
    resource_uid: event.resource_uid,
    lane: event.lane,
    payload: formatWebhook(event, settings.baseUrl),
  });
  return event;
}

/** An event with its family's own envelope, for example of float accounts (docs/provider.md#unmatched-credits). */
export interface RawEvent {
  /** The id in the payload. Faults and the ledger use it. */
  id: string;
  type: string;
  /** The resource of the event. Faults can target it, and deliveries are found by it. */
  resource_uid: string;
  /** Webhooks of one lane are sent in order. The resource's uid is sufficient. */
  lane: string;
  /** Sent unchanged. */
  payload: object;
}

/** Queues the webhook of an event outside PayTo, which appears in no history. */
export function publishRaw(
  { webhooks }: Pick<Publisher, 'webhooks'>,
  event: RawEvent,
): { id: string; type: string } {
  const { id, type, ...rest } = event;
  webhooks.enqueue({ event_id: id, event_type: type, ...rest });
  return { id, type };
}
