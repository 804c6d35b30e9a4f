// One attempt to hand over a webhook: posts the signed body on a connection of its own.
import { createHmac } from 'node:crypto';
import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';

const TIMEOUT_MS = 10_000;

export interface WebhookMessage {
  url: string;
  signature: string;
  requestId: string;
  payload: string;
}

/** `<unix seconds>.<hex>`: HMAC-SHA256 over `<unix seconds>.<raw body>` (facts 11). */
export function sign(payload: string, secret: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `${seconds}.${digest}`;
}

/** The status of whatever response came, or null when none did. Redirects are not followed. */
export function sendWebhook(message: WebhookMessage, signal: AbortSignal): Promise<number | null> {
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
    agent: false, // a kept connection that the receiver has just closed would look like no response
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'Service-Signature': signature,
      'Service-Request-ID': requestId,
    },
  });
}
