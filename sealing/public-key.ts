// Seals short texts so that only workers can open them: HPKE (RFC 9180) to a public key. Its private key is derived from a key of
// TOKEN_KEYS, so workers need no other secret.
import { ECDH, type webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { PRIVATE_KEY_CONTEXT } from './contexts.js';
import { SealError, derive, type Keyring } from './keyring.js';

// The library's types expect those of browsers to be global.
declare global {
  type CryptoKey = webcrypto.CryptoKey;
  type CryptoKeyPair = webcrypto.CryptoKeyPair;
}

/** P-256, because Node 20 has X25519 in WebCrypto only as an experiment. */
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
/** The sender's ephemeral public key (RFC 9180, 7.1: Npk of P-256). It precedes the ciphertext. */
const ENC_BYTES = 65;

export interface PublicKey {
  /** The name of the key in TOKEN_KEYS. */
  id: string;
  bytes: Uint8Array;
}

/**
 * Reads `kid:base64` (TOKEN_PUBLIC_KEY).
 * @throws Error that states the expected format.
 */
export function parsePublicKey(text: string): PublicKey {
  const [, id, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  if (id === undefined || bytes.length !== ENC_BYTES || !isPoint(bytes))
    throw new Error('expected kid:base64key as printed by `npm run -s keys -- token`');
  return { id, bytes };
}

/** WebCrypto would report another point only when it seals. */
function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

export const printPublicKey = ({ id, bytes }: PublicKey): string =>
  `${id}:${Buffer.from(bytes).toString('base64')}`;

/** The public key of one key of the ring. @throws SealError `unknown_key` */
export async function publicKeyOf(keyring: Keyring, id = keyring[0].id): Promise<PublicKey> {
  const { publicKey } = await keyPairOf(keyring, id);
  return { id, bytes: new Uint8Array(await suite.kem.serializePublicKey(publicKey)) };
}

const keyPairOf = (keyring: Keyring, id: string): Promise<CryptoKeyPair> =>
  suite.kem.deriveKeyPair(new Uint8Array(derive(keyring, id, PRIVATE_KEY_CONTEXT)).buffer);

/**
 * Seals a text for the owner of the private key.
 * @param context binds the result to its place. It opens only with exactly this context.
 * @returns `p1.kid.payload`; the payload is base64url of the ephemeral key and the ciphertext.
 */
export async function sealTo({ id, bytes }: PublicKey, text: string, context: string): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(new Uint8Array(bytes).buffer);
  const sealed = await suite.seal({ recipientPublicKey, info: bytesOf(context) }, bytesOf(text));
  const payload = Buffer.concat([Buffer.from(sealed.enc), Buffer.from(sealed.ct)]);
  return `p1.${id}.${payload.toString('base64url')}`;
}

/**
 * Opens the result of `sealTo`.
 * @throws SealError if the format is wrong, the key is missing, or a byte or the context differs.
 */
export async function openSealedTo(keyring: Keyring, sealed: string, context: string): Promise<string> {
  const [, id, payload] = /^p1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
  const bytes = new Uint8Array(Buffer.from(payload ?? '', 'base64url'));
  if (id === undefined || bytes.length <= ENC_BYTES)
    throw new SealError('malformed', 'expected p1.<key id>.<payload>');
  const recipientKey = await keyPairOf(keyring, id);
  const enc = bytes.slice(0, ENC_BYTES).buffer;
  try {
    const opened = await suite.open(
      { recipientKey, enc, info: bytesOf(context) },
      bytes.slice(ENC_BYTES).buffer,
    );
    return Buffer.from(opened).toString('utf8');
  } catch {
    throw new SealError('not_authentic', `data sealed to key ${id} was changed or belongs elsewhere`);
  }
}

const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
