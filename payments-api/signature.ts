// The three ways to verify a sender, each pure over the raw bytes. Secrets are compared in constant time.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Buffer } from 'node:buffer';

export type Unproven = 'missing' | 'malformed' | 'mismatch';

/**
 * `authenticatesBody`: the sender signed these exact bytes just now. It is false under bearer, which identifies only the sender.
 * It is also false if the timestamp of a genuine signature is out of tolerance (`isStale`): another party may replay it.
 */
export type Verdict = { ok: true; authenticatesBody: boolean; isStale?: true } | { ok: false; why: Unproven };

/** Looks up a header by name, ignoring case. */
export type Header = (name: string) => string | undefined | null;

export type Verify = (rawBody: Uint8Array, header: Header, nowMs: number) => Verdict;

export interface Scheme {
  secrets: readonly string[];
  signatureHeader: string;
  /** The greatest deviation of a timestamp, past or future, at which the body still counts as authenticated. */
  toleranceSeconds: number;
}

/** `<unix seconds>.<hex>[.<hex>…]`, HMAC-SHA256 of `<unix seconds>.<raw body>` (docs/provider.md#webhooks-signature). */
export function hmacVerifier({ secrets, signatureHeader, toleranceSeconds }: Scheme): Verify {
  return (rawBody, header, nowMs) => {
    const value = header(signatureHeader);
    if (!value) return refuse('missing');
    const [timestamp = '', ...parts] = value.trim().split('.');
    // Other parts may be signatures of another kind; one readable signature is enough.
    const signatures = parts
      .filter((part) => /^[0-9a-f]{64}$/i.test(part))
      .map((part) => Buffer.from(part, 'hex'));
    if (!isUnixSeconds(timestamp) || signatures.length === 0) return refuse('malformed');
    const expected = secrets.map((secret) => sign(secret, `${timestamp}.`, rawBody));
    if (!anyMatches(signatures, expected)) return refuse('mismatch');
    return genuine(timestamp, nowMs, toleranceSeconds);
  };
}

/** Standard Webhooks: `v1,<base64>` of `<id>.<timestamp>.<raw body>`; secrets are `whsec_<base64>`. */
export function standardVerifier({ secrets, toleranceSeconds }: Scheme): Verify {
  const keys = secrets.map(standardKey);
  return (rawBody, header, nowMs) => {
    const [id, timestamp, value] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      header(name),
    );
    if (!id || !timestamp || !value) return refuse('missing');
    // Compared as text: base64 can encode the same bytes in several ways, and the sender uses only one.
    const signatures = value
      .split(' ')
      .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
      .map(bytesOf);
    if (!isUnixSeconds(timestamp) || signatures.length === 0) return refuse('malformed');
    const expected = keys.map((key) =>
      bytesOf(`v1,${sign(key, `${id}.${timestamp}.`, rawBody).toString('base64')}`),
    );
    if (!anyMatches(signatures, expected)) return refuse('mismatch');
    return genuine(timestamp, nowMs, toleranceSeconds);
  };
}

/** `Authorization: Bearer <secret>` (docs/provider.md#webhooks-signature). Proves nothing about the body or its time. */
export function bearerVerifier({ secrets }: Scheme): Verify {
  return (_rawBody, header) => {
    const value = header('authorization');
    if (!value) return refuse('missing');
    const token = /^Bearer +(\S+)\s*$/i.exec(value)?.[1];
    if (token === undefined) return refuse('malformed');
    return anyMatches([bytesOf(token)], secrets.map(bytesOf))
      ? { ok: true, authenticatesBody: false }
      : refuse('mismatch');
  };
}

function refuse(why: Unproven): Verdict {
  return { ok: false, why };
}

function standardKey(secret: string): Buffer {
  const encoded = secret.replace(/^whsec_/, '');
  const key = Buffer.from(encoded, 'base64');
  if (key.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return key;
  throw new TypeError('expected every webhook secret to be whsec_ and base64; found another');
}

function sign(key: string | Buffer, prefix: string, rawBody: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prefix).update(rawBody).digest();
}

function isUnixSeconds(timestamp: string): boolean {
  return /^\d{1,12}$/.test(timestamp);
}

function genuine(timestamp: string, nowMs: number, toleranceSeconds: number): Verdict {
  const isFresh = Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds;
  return isFresh
    ? { ok: true, authenticatesBody: true }
    : { ok: true, authenticatesBody: false, isStale: true };
}

/** Compares every pair, so that the duration does not reveal which secret or signature matched. */
function anyMatches(given: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  return given.flatMap((one) => expected.map((other) => areEqual(one, other))).includes(true);
}

/** Takes constant time for any lengths, because it compares hashes. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(hash(one), hash(other));
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
