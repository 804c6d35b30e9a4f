// The wire format of webhooks and their deliveries (docs/provider.md#operations, #webhooks-deliveries).
import type { Settings } from '../engine/settings.js';
import type { Delivery } from '../store/webhook.schema.js';
import { publicState } from '../webhooks/delivery.js';

// The only webhook of the sandbox (docs/provider.md#operations). At the provider, a merchant sets it up in a portal.
export const WEBHOOK_ID = '0195f1f0-7a11-7c00-8a00-3eb000000001';

/** All event types (docs/provider.md#events). */
const EVENT_TYPES = [
  ...[
    'activated',
    'declined',
    'expired',
    'failed',
    'cancelled',
    'suspended',
    'reactivated',
    'amended',
    'cancellation_failed',
    'suspension_failed',
    'reactivation_failed',
    'amendment_declined',
    'amendment_expired',
    'amendment_failed',
    'amended_recalled',
    'amendment_recalled',
    'amendment_recall_failed',
  ].map((name) => `payto_agreement.${name}`),
  ...['settled', 'failed', 'pending', 'under_investigation'].map((name) => `payto_payment.${name}`),
  ...['processed', 'failed'].map((name) => `payto_refund.${name}`),
  'float_accounts.unmatched_credit.received',
  ...['action_requested', 'message_received', 'message_sent'].map((name) => `investigations.${name}`),
];

/** Includes the secret, as documented: this is how an integrator learns it. */
export function webhookRecord({ webhookUrl, webhookSecret }: Settings) {
  return { id: WEBHOOK_ID, url: webhookUrl, signature_secret: webhookSecret, events: EVENT_TYPES };
}

export const isConfiguredWebhook = (id: string): boolean => id === WEBHOOK_ID;

/** The resources of a delivery, for the `ref` filter. */
export const refsOf = ({ resource_uid, joined }: Delivery): string[] => [
  resource_uid,
  ...joined.map((event) => event.resource_uid),
];

export function formatDelivery(delivery: Delivery) {
  const { id, event_type, response_status_code } = delivery;
  return {
    id,
    event_type,
    state: publicState(delivery),
    response_status_code,
    created_at: coreTimestamp(delivery.created_at),
    payload_data_summary: refsOf(delivery).map((ref) => ({ ref })),
  };
}

export function formatDeliveryInFull(delivery: Delivery) {
  const payload: unknown = JSON.parse(delivery.payload);
  return { ...formatDelivery(delivery), webhook_id: WEBHOOK_ID, payload };
}

/** `2021-09-02 02:24:50 UTC`, as in the documented samples. This is not an ISO date-time. */
function coreTimestamp(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
