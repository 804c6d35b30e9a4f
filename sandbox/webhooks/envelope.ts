// Event ids and envelopes: formats them for histories and webhooks, and parses them for faults.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { resourceUrl } from '../http/responses.js';
import { type PublishedEvent, ResourceType } from '../store/webhook.schema.js';
import { sydneyTimestamp } from '../time/sydney.js';

// Event ids are UUIDv7 as far as we know. They start with the time of the event.

/** @param twins the number of earlier events in the same millisecond. */
export function eventId(atMs: number, twins: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const counter = twins.toString(16).padStart(3, '0');
  const random = randomBytes(8).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-a${random.slice(0, 3)}-${random.slice(3, 15)}`;
}

// The wire format of an event, in histories and webhooks.

/** A history entry has the time in UTC. The webhook of the same event has it in Sydney time. */
export function formatHistoryEntry(event: PublishedEvent) {
  return {
    id: event.id,
    resource_uid: event.resource_uid,
    published_at: event.published_at,
    resource_type: event.resource_type,
    body: event.body,
    type: event.type,
  };
}

export function formatWebhook(event: PublishedEvent, baseUrl: string) {
  return {
    data: {
      ...formatHistoryEntry(event),
      published_at: sydneyTimestamp(Date.parse(event.published_at)),
      ...(event.metadata === null ? {} : { resource_metadata: event.metadata }),
    },
    links: { resource: resourceUrl(baseUrl, event.resource_type, event.resource_uid) },
  };
}

const EventData = z.looseObject({ id: z.string(), type: z.string(), resource_type: ResourceType });
const Links = z.looseObject({});
const One = z.object({ data: EventData, links: Links });
const Several = z.object({ data: z.array(EventData), links: Links });

export type Envelope = z.output<typeof One>;

/** Undefined for events of other families, which have their own envelopes. */
export function envelopeOf(payload: object): Envelope | undefined {
  return One.safeParse(payload).data;
}

/** Combines both into one body: `data` becomes an array as in other families (docs/provider.md#events), with the links of the first. */
export function together(first: string, next: Envelope): string {
  const before = z.union([One, Several]).parse(JSON.parse(first));
  return JSON.stringify({ data: [before.data, next.data].flat(), links: before.links });
}
