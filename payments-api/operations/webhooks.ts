// Where the provider pushes to, and what became of what it pushed (docs/provider.md#webhooks-deliveries and #webhooks).
import { DeliveryFilter } from '../requests/filter.schema.js';
import { Webhook, WebhookDelivery } from '../answers/resources.schema.js';
import { items } from '../http/paging.js';
import { itemOf, lists, perhaps, reads } from './kinds.js';
import { uidSegment } from '../requests/checked.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface WebhookOperations {
  /** GET /webhooks, page after page as they are consumed. Their signature secrets are left behind. */
  listWebhooks(call: Call): AsyncIterable<Webhook>;
  /** GET /webhooks/{webhookId}/deliveries, page after page as they are consumed; kept for 7 days (docs/provider.md#webhooks-deliveries). */
  listWebhookDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    call: Call,
  ): AsyncIterable<WebhookDelivery>;
  /** GET /webhook_deliveries/{id}, with what was pushed. */
  getWebhookDelivery(id: string, call: Call): Promise<WebhookDelivery>;
  /**
   * POST /webhook_deliveries/{id}/redeliver: pushes it again. Its event id identifies it, so a second delivery does no harm.
   * @returns how it stands now; nothing where the provider accepted without a word.
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
