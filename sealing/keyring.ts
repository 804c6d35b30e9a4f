// AES-256-GCM with named keys: what seals tokens so that no history, log or database ever holds one in clear.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys by name. The first seals; every one opens, so a key is rotated by putting a new one in front. */
export type Keyring = readonly [SealingKey, ...SealingKey[]];
export interface SealingKey {
  id: string;
  key: Buffer;
}

/** Why something sealed could not be opened. Never holds what was sealed. */
export class SealError extends Error {
  override readonly name = 'SealError';
  constructor(
    readonly code: 'malformed' | 'unknown_key' | 'not_authentic',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads `kid:base64key,…` (ENCRYPTION_KEYS).
 * @throws Error that says what was expected, never what was met.
 */
export function parseKeyring(value: string): Keyring {
  const [first, ...rest] = value.split(',').map(parseKey);
  if (first === undefined) throw new Error('expected at least one key as kid:base64key');
  return [first, ...rest];
}

function parseKey(entry: string): SealingKey {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(entry.trim()) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (id === undefined || key.length !== KEY_BYTES) {
    throw new Error(`expected kid:base64key with a key of ${KEY_BYTES} bytes, comma-separated`);
  }
  return { id, key };
}

/**
 * Seals a text.
 * @param context binds the result to where it belongs: it opens with exactly this context only.
 * @returns `v1.kid.payload`, the payload being base64url of iv, ciphertext and tag.
 */
export function seal(keyring: Keyring, text: string, context: string): string {
  const [{ id, key }] = keyring;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(`${id}\n${context}`));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${sealed.toString('base64url')}`;
}

/**
 * Opens what `seal` made.
 * @throws SealError when it is not of that form, its key is gone, or a byte or the context differs.
 */
export function open(keyring: Keyring, sealed: string, context: string): string {
  const [, id, payload] = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
  const bytes = Buffer.from(payload ?? '', 'base64url');
  if (id === undefined || bytes.length < IV_BYTES + TAG_BYTES) {
    throw new SealError('malformed', 'expected v1.<key id>.<payload>');
  }
  const key = keyring.find((candidate) => candidate.id === id)?.key;
  if (key === undefined) throw new SealError('unknown_key', `no key named ${id} in ENCRYPTION_KEYS`);
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(`${id}\n${context}`));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new SealError('not_authentic', `what was sealed with key ${id} was changed, or belongs elsewhere`);
  }
}
