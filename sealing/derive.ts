// Secrets that need not be kept: made again from a key of the ring whenever they are needed.
import { hkdfSync } from 'node:crypto';
import { SealError } from './keyring.js';
import type { Keyring } from './keyring.js';

const BYTES = 32;

/**
 * HKDF (RFC 5869, SHA-256) over one key of the ring.
 * @param context what it is for; another context gives another secret, and neither tells of the other or of the key.
 * @returns 32 bytes, the same for as long as the key is in the ring.
 * @throws SealError `unknown_key`
 */
export function derive(keyring: Keyring, keyId: string, context: string): Buffer {
  const key = keyring.find((candidate) => candidate.id === keyId)?.key;
  if (key === undefined) throw new SealError('unknown_key', `no key named ${keyId} in ENCRYPTION_KEYS`);
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `derive/1/${context}`, BYTES));
}
