// Publishing: gives an event its id and time, keeps it in the agreement's history and queues its webhook.
import { randomBytes } from 'node:crypto';
import type { Engine } from '../engine.js';
import type { EventBody, PublishedEvent, ResourceType } from './webhook.schema.js';
import type { Metadata } from '../entities.schema.js';
import { formatWebhook } from './format-event.js';

interface Happening {
  type: string;
  resource_type: ResourceType;
  resource_uid: string;
  lane: string;
  body: EventBody;
  metadata: Metadata | null;
}

export function publish(engine: Engine, happening: Happening): PublishedEvent {
  const { store, clock, webhooks, settings } = engine;
  const published_at = clock.iso();
  const history = store.events.get(happening.lane) ?? [];
  const twins = history.filter((other) => other.published_at === published_at).length;
  const event: PublishedEvent = { ...happening, id: eventId(clock.now(), twins), published_at };
  if (event.resource_type === 'payto_agreement') store.events.set(event.resource_uid, [...history, event]);
  webhooks.enqueue(event, JSON.stringify(formatWebhook(event, settings.baseUrl)));
  return event;
}

/** A UUIDv7: it begins with the time of the event, and counts those of the same millisecond. */
function eventId(atMs: number, twins: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const counter = twins.toString(16).padStart(3, '0');
  const random = randomBytes(8).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-a${random.slice(0, 3)}-${random.slice(3, 15)}`;
}
