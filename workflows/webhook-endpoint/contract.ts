// The workflow of one endpoint for webhooks. Its settings and its progress are rows in the records (docs/decisions/0038-events-out.md).
import { defineSignal, defineUpdate } from '@temporalio/workflow';

export interface WebhookEndpointInput {
  endpointId: string;
}

export const webhookEndpointWorkflowId = (endpointId: string): string => `webhook-endpoint/${endpointId}`;

/** The endpoint was changed, enabled, disabled or deleted, or a replay has begun. */
export const webhookEndpointChanged = defineSignal('webhookEndpointChanged');

/** One attempt, as the records have it. */
export interface SentNow {
  deliveryId: string;
  outcome: 'delivered' | 'failed';
  /** The HTTP status. Absent: there was none, and `problem` says why. */
  status?: number | undefined;
  problem?: string | undefined;
  durationMs: number;
}

/** Sends one event now, in one attempt: a test event, or one that was recorded. Also while the endpoint is disabled, but not without its key. */
export const sendWebhookNow = defineUpdate<SentNow, [{ test: true } | { eventId: string }]>('sendWebhookNow');
