// POST /webhook_deliveries/{id}/redeliver: 202, and one more attempt with a time and a signature of its own.
// Documented for failed ones; that any other may be asked for as well is our reading. What is on its way stays so.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { findDelivery } from './kept-deliveries.js';
import { WEBHOOK_ID } from './webhook-record.js';

const OPERATION = {
  name: 'redeliver_webhook',
  method: 'POST',
  path: '/webhook_deliveries/:id/redeliver',
  scope: 'webhooks',
  bodyIsOptional: true,
} as const;

const Nothing = z.strictObject({});

export function registerRedeliverWebhook(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body }) => {
    const parsed = Nothing.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const delivery = findDelivery(engine, uid);
    engine.webhooks.redeliver(delivery);
    return { status: 202, body: { data: { id: delivery.id, webhook_id: WEBHOOK_ID, state: 'pending' } } };
  });
}
