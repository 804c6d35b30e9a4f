// Sends a delivery with its immediate repeats. Each attempt has a new signature and a new connection.
import { createHmac } from 'node:crypto';
import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Store } from '../store/document.js';
import type { Delivery } from '../store/webhook.schema.js';
import { recordAttempt, type DeliveryOffice } from './delivery.js';

const TIMEOUT_MS = 10_000;

interface WebhookMessage {
  url: string;
  signature: string;
  requestId: string;
  payload: string;
}

/** `<unix seconds>.<hex>`: HMAC-SHA256 over `<unix seconds>.<raw body>` (docs/provider.md#webhooks-signature). */
function sign(payload: string, secret: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `${seconds}.${digest}`;
}

/** The status of the response, or null if there was none. Does not follow redirects. */
function sendWebhook(message: WebhookMessage, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const outgoing = open(message, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    outgoing.on('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve(response.statusCode ?? null);
    });
    outgoing.on('error', () => {
      resolve(null);
    });
    outgoing.end(message.payload);
  });
}

function open({ url, signature, requestId, payload }: WebhookMessage, signal: AbortSignal): ClientRequest {
  const target = new URL(url);
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return request(target, {
    method: 'POST',
    agent: false, // A reused connection that the receiver has just closed would look like no response.
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'Service-Signature': signature,
      'Service-Request-ID': requestId,
    },
  });
}

/** The webhook URL and secret. The control API can change both. */
export interface WebhookTarget {
  webhookUrl: string;
  webhookSecret: string;
}

interface Surroundings extends DeliveryOffice {
  store: Store;
  settings: WebhookTarget;
}

export function createSender(surroundings: Surroundings) {
  const { store, clock, settings } = surroundings;
  const stopping = new AbortController();
  // An attempt does not count if a reset deleted the delivery or a shutdown interrupted it.
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
    async send(delivery: Delivery): Promise<void> {
      // A retry resets `copies` for a later round, so this round uses its initial value.
      for (let left = delivery.copies; left > 0 && isWanted(delivery); left -= 1) await attempt(delivery);
    },
    stop(): void {
      stopping.abort();
    },
  };
}

/** Uses the wall clock, because receivers compare the time with theirs, however far the sandbox's clock was advanced. */
function signatureOf({ payload, fault, age_seconds }: Delivery, secret: string): string {
  const isFalse = fault === 'forge' || fault === 'bad_signature';
  return sign(payload, isFalse ? `not ${secret}` : secret, Date.now() - age_seconds * 1000);
}
