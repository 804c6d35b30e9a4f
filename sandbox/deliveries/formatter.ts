// How webhooks and their deliveries look on the wire (docs/provider.md#operations, #webhooks-deliveries).
import type { Settings } from '../engine/settings.js';
import type { Delivery } from '../store/webhook.schema.js';
import { publicState } from '../webhooks/delivery.js';

// The one webhook of the sandbox, as the provider shows it (docs/provider.md#operations): it is set up in a portal, not by a call.
export const WEBHOOK_ID = '0195f1f0-7a11-7c00-8a00-3eb000000001';

/** Everything it is sent (docs/provider.md#events). */
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

/** With its secret: documented, and how an integrator learns it. */
export function webhookRecord({ webhookUrl, webhookSecret }: Settings) {
  return { id: WEBHOOK_ID, url: webhookUrl, signature_secret: webhookSecret, events: EVENT_TYPES };
}

export const isConfiguredWebhook = (id: string): boolean => id === WEBHOOK_ID;

/** What the deliveries of a resource are found by. */
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

/** `2021-09-02 02:24:50 UTC`, which is no ISO date-time: so in the samples. */
function coreTimestamp(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
