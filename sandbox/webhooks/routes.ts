// What the provider offers on webhooks and their deliveries. There is no call that makes, changes or removes a webhook.
import type { Registration } from '../http/operation.js';
import { registerGetDelivery } from './get-delivery.js';
import { registerListDeliveries } from './list-deliveries.js';
import { registerListWebhooks } from './list-webhooks.js';
import { registerRedeliverWebhook } from './redeliver-webhook.js';

export const WEBHOOK_ROUTES: readonly Registration[] = [
  registerListWebhooks,
  registerListDeliveries,
  registerGetDelivery,
  registerRedeliverWebhook,
];
