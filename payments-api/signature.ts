// The three ways by which a sender proves who it is, each pure over the raw bytes. Secrets are compared in constant time.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Buffer } from 'node:buffer';

/** Why a sender has not proved who it is. */
export type Unproven = 'missing' | 'malformed' | 'mismatch';

/**
 * `authenticatesBody`: these very bytes are the sender's, sent just now. False under bearer, which only identifies the sender, and
 * for a genuine signature of another time (`isStale`): the bytes were the sender's once, and perhaps it is not the sender who repeats them.
 */
export type Verdict = { ok: true; authenticatesBody: boolean; isStale?: true } | { ok: false; why: Unproven };

/** A header by its name, in whatever case the framework keeps it. */
export type Header = (name: string) => string | undefined | null;

export type Verify = (rawBody: Uint8Array, header: Header, nowMs: number) => Verdict;

export interface Scheme {
  secrets: readonly string[];
  signatureHeader: string;
  /** How far a timestamp may lie in the past or in the future, and its body still counts as confirmed. */
  toleranceSeconds: number;
}

/** `<unix seconds>.<hex>[.<hex>…]`, HMAC-SHA256 of `<unix seconds>.<raw body>` (docs/provider.md#webhooks-signature). */
export function hmacVerifier({ secrets, signatureHeader, toleranceSeconds }: Scheme): Verify {
  return (rawBody, header, nowMs) => {
    const value = header(signatureHeader);
    if (!value) return refuse('missing');
    const [timestamp = '', ...parts] = value.trim().split('.');
    // A later part may be a signature of another kind; one that we can read is enough.
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
    // Compared as text: base64 has several spellings of the same bytes, and the sender writes only one.
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

/** `Authorization: Bearer <secret>` (docs/provider.md#webhooks-signature). Proves nothing about the body, nor about when it was sent. */
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
  throw new TypeError('expected every webhook secret to be whsec_ and base64; met one that is not');
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

/** Every pair is compared, so that the time taken does not reveal which secret or signature was right. */
function anyMatches(given: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  return given.flatMap((one) => expected.map((other) => areEqual(one, other))).includes(true);
}

/** In constant time whatever the lengths, since it is hashes that are compared. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(hash(one), hash(other));
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
