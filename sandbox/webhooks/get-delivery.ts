// GET /webhook_deliveries/{id}: one delivery, with the payload that was or is to be sent.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { formatDeliveryInFull } from './format-delivery.js';
import { findDelivery } from './kept-deliveries.js';

const OPERATION = {
  name: 'get_webhook_delivery',
  method: 'GET',
  path: '/webhook_deliveries/:id',
  scope: 'webhooks',
} as const;

export function registerGetDelivery(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid }) => ({
    status: 200,
    body: { data: formatDeliveryInFull(findDelivery(engine, uid)) },
  }));
}
