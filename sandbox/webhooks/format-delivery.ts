// How a delivery looks on the wire (facts 11).
import { shownState } from './delivery-states.js';
import type { Delivery } from './webhook.schema.js';
import { WEBHOOK_ID } from './webhook-record.js';

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
    state: shownState(delivery),
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
