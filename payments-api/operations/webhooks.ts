// The registered webhooks, and the provider's log of deliveries (docs/provider.md#webhooks-deliveries and #webhooks).
import { DeliveryFilter } from '../requests/filter.schema.js';
import { Webhook, WebhookDelivery } from '../answers/resources.schema.js';
import { itemOf, lists, listsAll, perhaps, reads, type Asking } from './kinds.js';
import { uidSegment } from '../requests/checked.js';
import type { Call } from '../http/send.js';

const readItem = itemOf(WebhookDelivery);

export const webhookOperations = (asking: Asking) => ({
  /** GET /webhooks, fetched page by page on demand. Their signature secrets are dropped. */
  listWebhooks: listsAll(asking, 'listWebhooks', '/webhooks', itemOf(Webhook), 'link-header'),
  /** GET /webhooks/{webhookId}/deliveries, fetched page by page on demand. The provider keeps them for 7 days (docs/provider.md#webhooks-deliveries). */
  async *listWebhookDeliveries(webhookId: string, filter: DeliveryFilter, call: Call) {
    const name = 'listWebhookDeliveries';
    const path = `/webhooks/${uidSegment(name, webhookId)}/deliveries`;
    yield* lists(asking, name, path, DeliveryFilter, readItem, 'link-header')(filter, call);
  },
  /** GET /webhook_deliveries/{id}, including its payload. */
  getWebhookDelivery: reads(asking, 'getWebhookDelivery', '/webhook_deliveries', WebhookDelivery),
  /**
   * POST /webhook_deliveries/{id}/redeliver: delivers it again. Its event id identifies duplicates, so repeats are harmless.
   * @returns the delivery; undefined if the provider accepted without a body.
   */
  redeliverWebhook: async (id: string, call: Call): Promise<WebhookDelivery | undefined> => {
    const name = 'redeliverWebhook';
    const path = `/webhook_deliveries/${uidSegment(name, id)}/redeliver`;
    return asking.ask({ name, method: 'POST', path, answer: 'perhaps', read: perhaps(readItem) }, call);
  },
});
