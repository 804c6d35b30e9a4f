// Published events and their deliveries. Data only.
import { z } from 'zod';
import { FaultAction } from '../faults/actions.schema.js';
import { Metadata, tableOf } from './entities.schema.js';

export const ResourceType = z.enum(['payto_agreement', 'payto_payment', 'payto_refund']);
export type ResourceType = z.output<typeof ResourceType>;

export const EventBody = z.record(z.string(), z.unknown()).nullable();
export type EventBody = z.output<typeof EventBody>;

/** A published event, the source of a webhook's `data` and of a history entry. */
export const PublishedEvent = z.object({
  id: z.string(),
  type: z.string(),
  resource_type: ResourceType,
  resource_uid: z.string(),
  /** Webhooks of one lane are sent in order. The lane is the agreement, or the resource if there is none. */
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
  /** The fault that changed or created it. */
  fault: FaultAction.nullable(),
  /** Further events in the same body, and how many more may join. Used only by the `batch` fault. */
  joined: z.array(z.object(event)),
  room: z.int(),
  /** How many immediate attempts are left. Only the `repeat` fault sets more than one. */
  copies: z.int(),
  /** The age that its signature claims; 0 unless the `stale_timestamp` fault sets it. */
  age_seconds: z.int(),
  attempts: z.int(),
  response_status_code: z.int().nullable(),
  first_attempt_at: z.number().nullable(),
  created_at: z.string(),
});
export type Delivery = z.output<typeof Delivery>;

export const WEBHOOK_TABLES = {
  /** By resource uid, only agreements, oldest first. */
  events: tableOf(z.array(PublishedEvent)),
  /** Oldest first. */
  deliveries: tableOf(Delivery),
};

export const WEBHOOK_TASKS = ['send_webhook'] as const;
