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
}

/** Finds the API key in an Authorization header. */
export function keyOf(keys: readonly ApiKey[], authorization: string | undefined): ApiKey | undefined {
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return secret === undefined ? undefined : keyWithSecret(keys, secret);
}

/** Compares the secret with every key in constant time, so that timing reveals nothing. */
export function keyWithSecret(keys: readonly ApiKey[], secret: string): ApiKey | undefined {
  const sha256 = createHash('sha256').update(secret).digest();
  const [match] = keys.filter((key) => timingSafeEqual(key.sha256.reveal(), sha256));
  return match;
}
