// API keys: we store only their SHA-256 and their scopes. Pure.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../sealing/secret.js';

/**
 * `operate` allows operator commands, except that `stop` allows to stop and resume payments, and `decode` to read payloads in Temporal's UI.
 * `personal` only unmasks account numbers (api/http/masking.ts).
 */
export const SCOPES = ['read', 'write', 'operate', 'stop', 'decode', 'personal'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  /** Identifies this key in logs and in an operator's session. */
  id: string;
  /** The stable name of the caller. Several keys share it during a key rotation. */
  principal: string;
  scopes: readonly Scope[];
  sha256: Secret<Buffer>;
  /** The only connections that the key may use. Absent: all. */
  connections?: readonly string[] | undefined;
  /** The key is unknown from this time on, in epoch milliseconds. Absent: no limit. */
  until?: number | undefined;
}

/** In clear, keys made by `npm run -s keys -- api` look like this, so that secret scanners find them. */
const MADE_KEY = /^payto_([0-9a-f]{64})([0-9a-f]{8})$/;

/** Whether a key of our form has a typing error: its checksum (the start of the SHA-256 of the rest) does not match. */
export function isMistyped(secret: string): boolean {
  if (!secret.startsWith('payto_')) return false;
  const [, random = '', checksum] = MADE_KEY.exec(secret) ?? [];
  return createHash('sha256').update(`payto_${random}`).digest('hex').slice(0, 8) !== checksum;
}

/** The secret in an Authorization header. */
export function bearerIn(authorization: string | undefined): string | undefined {
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return secret;
}

/** Compares the secret with every key in constant time, so that timing reveals nothing. */
export function keyWithSecret(keys: readonly ApiKey[], secret: string): ApiKey | undefined {
  const sha256 = createHash('sha256').update(secret).digest();
  const [match] = keys.filter((key) => timingSafeEqual(key.sha256.reveal(), sha256));
  return match;
}
