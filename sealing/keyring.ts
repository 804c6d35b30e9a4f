// AES-256-GCM with named keys. It seals tokens and payloads, so that no history, log or database contains one in clear.
// Secrets that need not be stored are derived from the same keys.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys by name. The first seals; all open. To rotate, put a new key in front. */
export type Keyring = readonly [SealingKey, ...SealingKey[]];
export interface SealingKey {
  id: string;
  /** Node's own wrapper, which reveals nothing when printed or as JSON. */
  key: KeyObject;
}

/** The reason for which a sealed value could not be opened. Never quotes the value. */
export class SealError extends Error {
  override readonly name = 'SealError';
  constructor(
    readonly code: 'clear_payload' | 'malformed' | 'unknown_key' | 'not_authentic',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads `kid:base64key,…` (ENCRYPTION_KEYS, TOKEN_KEYS, SESSION_KEYS).
 * @throws Error that states the expected format, never the value.
 */
export function parseKeyring(value: string): Keyring {
  const [first, ...rest] = value.split(',').map(parseKey);
  if (first === undefined) throw new Error('expected at least one key as kid:base64key');
  const names = new Set([first, ...rest].map(({ id }) => id));
  // The name selects the key for opening. With a duplicate name, values sealed with the second key would not open.
  if (names.size <= rest.length)
    throw new Error('expected a different name (kid) for each key; found a duplicate. Rename the unused one');
  return [first, ...rest];
}

function parseKey(entry: string): SealingKey {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry.trim()) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (id === undefined || key.length !== KEY_BYTES) {
    throw new Error(`expected kid:base64key with a key of ${KEY_BYTES} bytes, comma-separated`);
  }
  return { id, key: createSecretKey(key) };
}

/** Sealed bytes (iv, ciphertext and tag), and the name of the key that opens them. */
export interface SealedBytes {
  keyId: string;
  sealed: Uint8Array;
}

/**
 * Seals bytes with the first key.
 * @param context binds the result to its place. It opens only with exactly this context.
 */
export function sealBytes(keyring: Keyring, bytes: Uint8Array, context: string): SealedBytes {
  const [{ id, key }] = keyring;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(id, context));
  const sealed = Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return { keyId: id, sealed };
}

/**
 * Opens the result of `sealBytes`.
 * @throws SealError if it is too short, its key is missing, or a byte or the context differs.
 */
export function openBytes(keyring: Keyring, { keyId, sealed }: SealedBytes, context: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw malformed(`${IV_BYTES + TAG_BYTES} bytes or more`);
  const key = keyNamed(keyring, keyId);
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(keyId, context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealError('not_authentic', `data sealed with key ${keyId} was changed or belongs elsewhere`);
  }
}

const boundTo = (keyId: string, context: string): Buffer => Buffer.from(`${keyId}\n${context}`);
const malformed = (expected: string): SealError => new SealError('malformed', `expected ${expected}`);

/**
 * Seals a text.
 * @returns `v1.kid.payload`; the payload is base64url of iv, ciphertext and tag.
 */
export function seal(keyring: Keyring, text: string, context: string): string {
  const { keyId, sealed } = sealBytes(keyring, Buffer.from(text), context);
  return `v1.${keyId}.${Buffer.from(sealed).toString('base64url')}`;
}

/**
 * Opens the result of `seal`, and checks every character: the last one in base64url has spare bits, which must match too.
 * @throws SealError if the format is wrong, its key is missing, or a byte or the context differs.
 */
export function open(keyring: Keyring, sealed: string, context: string): string {
  const [, keyId, payload] = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
  const bytes = Buffer.from(payload ?? '', 'base64url');
  if (keyId === undefined || bytes.toString('base64url') !== payload)
    throw malformed('v1.<key id>.<payload>');
  return openBytes(keyring, { keyId, sealed: bytes }, context).toString('utf8');
}

/**
 * HKDF (RFC 5869, SHA-256) over one key of the ring, for secrets that are derived again whenever needed.
 * @param context the purpose. Another context yields another secret, and neither reveals the other or the key.
 * @returns 32 bytes, the same while the key is in the ring.
 * @throws SealError `unknown_key`
 */
export function derive(keyring: Keyring, keyId: string, context: string): Buffer {
  const key = keyNamed(keyring, keyId);
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `derive/1/${context}`, KEY_BYTES));
}

function keyNamed(keyring: Keyring, keyId: string): KeyObject {
  const key = keyring.find((candidate) => candidate.id === keyId)?.key;
  if (key === undefined) throw new SealError('unknown_key', `no key named ${keyId} is configured`);
  return key;
}
