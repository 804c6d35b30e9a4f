import { randomUUID } from 'node:crypto';
import { sealWebhook } from '../../records/sealed.js';
import type { Insertable } from 'kysely';
import type { Tables } from '../../records/tables.js';
import type { Keyring } from '../../sealing/keyring.js';

/** An attempt whose receiver has answered with a text. */
export function aWebhookDelivery(
  keyring: Keyring,
  over: Partial<Insertable<Tables['webhook_deliveries']>> = {},
): Insertable<Tables['webhook_deliveries']> {
  const id = randomUUID();
  return {
    ...{ id, endpoint_id: 'we', cursor_id: 'live', event_id: 'evt', event_type: 'payment.settled' },
    ...{ resource: 'payment', uid: 'pay-1', era: 1, transaction: '1', position: 1, attempt: 1 },
    ...{
      at: new Date('2026-11-01T02:03:04Z'),
      duration_ms: 1,
      outcome: 'failed',
      status: 500,
      problem: 'status',
    },
    ...sealWebhook(keyring, 'webhook_deliveries', id, { answer: 'an answer' }),
    ...over,
  };
}
