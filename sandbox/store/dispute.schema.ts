// The provider's records of disputes about payments. Data only.
import { z } from 'zod';
import { tableOf } from './entities.schema.js';

export const DisputeState = z.enum(['open', 'awaiting_merchant', 'closed']);
export type DisputeState = z.output<typeof DisputeState>;

/** An event of a dispute. The event that asks the merchant to act is also the action request, with the same id. */
export const DisputeEvent = z.object({
  id: z.string(),
  at: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type DisputeEvent = z.output<typeof DisputeEvent>;

export const Dispute = z.object({
  id: z.string(),
  payment_uid: z.string(),
  state: DisputeState,
  raised_at: z.string(),
  type_code: z.string(),
  reason_code: z.string(),
  /** Null until the merchant is asked to act. */
  action_request_id: z.string().nullable(),
  /** Oldest first. */
  events: z.array(DisputeEvent),
  /** The ids of the documents that the merchant has uploaded, oldest first. */
  upload_ids: z.array(z.string()),
});
export type Dispute = z.output<typeof Dispute>;

export const DISPUTE_TABLES = { disputes: tableOf(Dispute) };

/** The scheduled tasks of a dispute; see `sandbox/tasks.ts`. */
export const DISPUTE_TASKS = ['request_merchant_action'] as const;
