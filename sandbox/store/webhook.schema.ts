// Published events and their deliveries, as they are kept. No behaviour here.
import { z } from 'zod';
import { FaultAction } from '../faults/actions.schema.js';
import { Metadata, tableOf } from './entities.schema.js';

export const ResourceType = z.enum(['payto_agreement', 'payto_payment', 'payto_refund']);
export type ResourceType = z.output<typeof ResourceType>;

export const EventBody = z.record(z.string(), z.unknown()).nullable();
export type EventBody = z.output<typeof EventBody>;

/** One published event: a webhook's `data` and a history entry are both made of it. */
export const PublishedEvent = z.object({
  id: z.string(),
  type: z.string(),
  resource_type: ResourceType,
  resource_uid: z.string(),
  /** Webhooks of one lane are sent in order: the agreement concerned, or the resource where there is none. */
  lane: z.string(),
  published_at: z.string(),
  body: EventBody,
  metadata: Metadata.nullable(),
});
export type PublishedEvent = z.output<typeof PublishedEvent>;

const event = { event_id: z.string(), event_type: z.string(), resource_uid: z.string() };

export const Delivery = z.object({
  ...event,
  id: z.string(),
  request_id: z.string(),
  lane: z.string(),
  payload: z.string(),
  state: z.enum(['queued', 'withheld', 'retrying', 'completed', 'failed', 'lost']),
  /** What a fault has done to it, or made it for. */
  fault: FaultAction.nullable(),
  /** Further events in the same body, and how many more may join them: by the `batch` fault alone. */
  joined: z.array(z.object(event)),
  room: z.int(),
  /** How many times it still has to be posted in one go; more than one only by the `repeat` fault. */
  copies: z.int(),
  /** How old its signature says that it is; 0 for all but stale ones. */
  age_seconds: z.int(),
  attempts: z.int(),
  response_status_code: z.int().nullable(),
  first_attempt_at: z.number().nullable(),
  created_at: z.string(),
});
export type Delivery = z.output<typeof Delivery>;

export const WEBHOOK_TABLES = {
  /** Keyed by resource uid, agreements only, oldest first. */
  events: tableOf(z.array(PublishedEvent)),
  /** Oldest first. */
  deliveries: tableOf(Delivery),
};

export const WEBHOOK_TASKS = ['send_webhook'] as const;
