// Published events and their deliveries, as they are kept. No behaviour here.
import { z } from 'zod';
import { Metadata, tableOf } from '../entities.schema.js';

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

export const Delivery = z.object({
  id: z.string(),
  request_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  resource_uid: z.string(),
  lane: z.string(),
  payload: z.string(),
  state: z.enum(['queued', 'held', 'retrying', 'completed', 'failed', 'lost']),
  held_by: z.enum(['delay', 'reorder']).nullable(),
  /** How many times it still has to be posted in one go; more than one only by the `repeat` fault. */
  copies: z.int(),
  attempts: z.int(),
  response_status_code: z.int().nullable(),
  first_attempt_at: z.number().nullable(),
  created_at: z.string(),
});
export type Delivery = z.output<typeof Delivery>;

export const WEBHOOK_TABLES = {
  /** Keyed by resource uid, agreements only, oldest first. */
  events: tableOf(z.array(PublishedEvent)),
  deliveries: tableOf(Delivery),
};

export const WEBHOOK_TASKS = ['send_webhook'] as const;

export const WEBHOOK_CALLS = [] as const;
