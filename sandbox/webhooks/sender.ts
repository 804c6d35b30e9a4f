// Sends a delivery as often as it is to be posted in one go, and records what came of each attempt.
import { recordAttempt, type DeliveryOffice } from './delivery.js';
import { sendWebhook, sign } from './send-webhook.js';
import type { Settings } from '../settings.js';
import type { Store } from '../store.js';
import type { Delivery } from './webhook.schema.js';

export interface Sender {
  send(delivery: Delivery): Promise<void>;
  stop(): void;
}

export interface SenderSurroundings extends DeliveryOffice {
  store: Store;
  settings: Settings;
}

export function createSender(surroundings: SenderSurroundings): Sender {
  const { store, clock, settings } = surroundings;
  const stopping = new AbortController();
  // Neither what a reset has forgotten nor what a shutdown has cut short counts as attempted.
  const isWanted = (delivery: Delivery): boolean =>
    !stopping.signal.aborted && store.deliveries.get(delivery.id) === delivery;

  async function attempt(delivery: Delivery): Promise<void> {
    delivery.first_attempt_at ??= clock.now();
    const { request_id: requestId, payload } = delivery;
    const signature = signatureOf(delivery, settings.webhookSecret);
    const message = { url: settings.webhookUrl, signature, requestId, payload };
    const status = await sendWebhook(message, stopping.signal);
    if (isWanted(delivery)) recordAttempt(surroundings, delivery, status);
  }
  return {
    async send(delivery) {
      // A retry sets `copies` anew, but for later: this round is what was asked for when it began.
      for (let left = delivery.copies; left > 0 && isWanted(delivery); left -= 1) await attempt(delivery);
    },
    stop() {
      stopping.abort();
    },
  };
}

/** Fresh for each attempt, by the wall clock: receivers compare it with theirs, however far ours was advanced. */
function signatureOf({ payload, fault, age_seconds }: Delivery, secret: string): string {
  const isFalse = fault === 'forge' || fault === 'bad_signature';
  return sign(payload, isFalse ? `not ${secret}` : secret, Date.now() - age_seconds * 1000);
}
