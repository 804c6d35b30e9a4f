// Where the provider pushes to, and what became of what it pushed (interface 4.5, facts 4 and 11).
// In:  payments-api/client.ts.
// Out: payments-api/query.ts writes filters, resources.schema.ts reads answers.
import { DeliveryFilter } from '../requests/filter.schema.js';
import { Webhook, WebhookDelivery } from '../answers/resources.schema.js';
import { dataOf, itemOf, perhaps } from './kinds.js';
import { items } from '../http/paging.js';
import { queryOf } from '../query.js';
import { uidSegment } from '../uid.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface WebhookOperations {
  /** GET /webhooks, page after page as they are consumed. Each has its signature secret, in a box (secret.ts). */
  listWebhooks(call: Call): AsyncIterable<Webhook>;
  /** GET /webhooks/{webhookId}/deliveries, page after page as they are consumed; kept for 7 days (facts 11). */
  listWebhookDeliveries(
    webhookId: string,
    filter: DeliveryFilter,
    call: Call,
  ): AsyncIterable<WebhookDelivery>;
  /** GET /webhook_deliveries/{id}, with what was pushed. */
  getWebhookDelivery(id: string, call: Call): Promise<WebhookDelivery>;
  /**
   * POST /webhook_deliveries/{id}/redeliver: pushes it again. What it tells is known by its event id, so twice does no harm.
   * @returns how it stands now; nothing where the provider accepted without a word.
   */
  redeliverWebhook(id: string, call: Call): Promise<WebhookDelivery | undefined>;
}

export function webhookOperations({ ask, list }: Asking): WebhookOperations {
  return {
    async *listWebhooks(call) {
      const asked = { name: 'listWebhooks', method: 'GET', path: '/webhooks', next: 'link-header' } as const;
      yield* items(list({ ...asked, readItem: itemOf(Webhook) }, call));
    },
    async *listWebhookDeliveries(webhookId, filter, call) {
      const name = 'listWebhookDeliveries';
      const path = `/webhooks/${uidSegment(name, webhookId)}/deliveries`;
      const query = queryOf(name, DeliveryFilter, filter);
      const readItem = itemOf(WebhookDelivery);
      yield* items(list({ name, method: 'GET', path, query, readItem, next: 'link-header' }, call));
    },
    getWebhookDelivery: async (id, call) => {
      const name = 'getWebhookDelivery';
      const path = `/webhook_deliveries/${uidSegment(name, id)}`;
      return ask({ name, method: 'GET', path, read: dataOf(name, WebhookDelivery) }, call);
    },
    redeliverWebhook: async (id, call) => {
      const name = 'redeliverWebhook';
      const path = `/webhook_deliveries/${uidSegment(name, id)}/redeliver`;
      const read = perhaps(itemOf(WebhookDelivery));
      return ask({ name, method: 'POST', path, answer: 'perhaps', read }, call);
    },
  };
}
