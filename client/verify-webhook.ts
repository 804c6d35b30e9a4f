// Verifies a webhook by the Standard Webhooks specification: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import type { ThinEvent, WebhookEvent } from './event-types.js';

export interface ReceivedWebhook {
  /** The secret of the endpoint, with its prefix `whsec_`. */
  secret: string;
  /** Of the request. The case of their names does not matter. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived. Parsed and serialised JSON has another signature. */
  body: string | Uint8Array;
}

export type WebhookErrorCode = 'missing_header' | 'too_old' | 'too_new' | 'bad_signature' | 'malformed';

/** A request that is no genuine webhook. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** How far the clocks of sender and receiver may be apart. It also limits how long a copied request can be repeated. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies signature and time of a webhook, and returns its event. The same event may arrive again: store its `id`.
 * @param received.form of the endpoint. Default: `full`.
 * @throws WebhookError for a request that is no genuine webhook, and TypeError for a malformed secret.
 */
export async function verifyWebhook(received: ReceivedWebhook & { form: 'thin' }): Promise<ThinEvent>;
export async function verifyWebhook(received: ReceivedWebhook & { form?: 'full' }): Promise<WebhookEvent>;
export async function verifyWebhook({
  secret,
  headers,
  body,
  form = 'full',
}: ReceivedWebhook & { form?: 'full' | 'thin' }): Promise<WebhookEvent | ThinEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  requireRecent(timestamp);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, await keyOf(secret))))
    throw new WebhookError('bad_signature', 'expected a signature with the secret of the endpoint');
  return eventIn(bytes, form);
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name);
  if (value) return value;
  throw new WebhookError('missing_header', `expected the header ${name}`);
}

function fieldOf(headers: Exclude<ReceivedWebhook['headers'], Headers>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([field]) => field.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(' ') : value;
}

function requireRecent(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('malformed', 'expected webhook-timestamp in seconds since 1970');
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  const allowed = `expected a webhook-timestamp within ${TOLERANCE_SECONDS} s of this clock, found one that is`;
  if (age > TOLERANCE_SECONDS) throw new WebhookError('too_old', `${allowed} ${age} s old`);
  if (age < -TOLERANCE_SECONDS) throw new WebhookError('too_new', `${allowed} ${-age} s in the future`);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const key = decoded(secret.replace(/^whsec_/, ''));
  if (key === undefined || key.length === 0)
    throw new TypeError('expected the secret of the endpoint: whsec_ and base64');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** During a rotation there are two signatures, one with each secret. `verify` compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  key: CryptoKey,
): Promise<boolean> {
  for (const versioned of signatures.split(' ')) {
    const signature = versioned.startsWith('v1,') ? decoded(versioned.slice('v1,'.length)) : undefined;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function eventIn(body: Uint8Array, form: 'full' | 'thin'): WebhookEvent | ThinEvent {
  const event = parsed(body);
  if (isObject(event) && typeof event['id'] === 'string' && typeof event['type'] === 'string')
    if (form === 'thin' || isObject(event['data'])) return event as unknown as WebhookEvent;
  throw new WebhookError('malformed', `expected the JSON of an event of the form ${form}`);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookError('malformed', 'expected JSON');
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
