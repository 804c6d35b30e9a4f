// The registered webhooks, and the provider's log of deliveries (docs/provider.md#webhooks-deliveries and #webhooks).
import { DeliveryFilter } from '../requests/filter.schema.js';
import { Webhook, WebhookDelivery } from '../answers/resources.schema.js';
import { items } from '../http/paging.js';
import { itemOf, lists, perhaps, reads } from './kinds.js';
import { uidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface WebhookOperations {
  /** GET /webhooks, fetched page by page on demand. Their signature secrets are dropped. */
  listWebhooks(call: Call): AsyncIterable<Webhook>;
  /** GET /webhooks/{webhookId}/deliveries, fetched page by page on demand. The provider keeps them for 7 days (docs/provider.md#webhooks-deliveries). */
  listWebhookDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    call: Call,
  ): AsyncIterable<WebhookDelivery>;
  /** GET /webhook_deliveries/{id}, including its payload. */
  getWebhookDelivery(id: string, call: Call): Promise<WebhookDelivery>;
  /**
   * POST /webhook_deliveries/{id}/redeliver: delivers it again. Its event id identifies duplicates, so repeats are harmless.
   * @returns the delivery; undefined if the provider accepted without a body.
   */
  redeliverWebhook(id: string, call: Call): Promise<WebhookDelivery | undefined>;
}

export function webhookOperations(asking: Asking): WebhookOperations {
  const { ask, list } = asking;
  const readItem = itemOf(WebhookDelivery);
  return {
    async *listWebhooks(call) {
      const requested = {
        name: 'listWebhooks',
        method: 'GET',
        path: '/webhooks',
        next: 'link-header',
      } as const;
      yield* items(list({ ...requested, readItem: itemOf(Webhook) }, call));
    },
    async *listWebhookDeliveries(webhookId, filter, call) {
      const name = 'listWebhookDeliveries';
      const path = `/webhooks/${uidSegment(name, webhookId)}/deliveries`;
      yield* lists(asking, name, path, DeliveryFilter, readItem, 'link-header')(filter, call);
    },
    getWebhookDelivery: reads(asking, 'getWebhookDelivery', '/webhook_deliveries', WebhookDelivery),
    redeliverWebhook: async (id, call) => {
      const name = 'redeliverWebhook';
      const path = `/webhook_deliveries/${uidSegment(name, id)}/redeliver`;
      return ask({ name, method: 'POST', path, answer: 'perhaps', read: perhaps(readItem) }, call);
    },
  };
}
