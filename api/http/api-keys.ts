// API keys: known only by their SHA-256, each with the scopes it was given. Pure; api/http/contract.ts asks for them.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../sealing/secret.js';

/** `operate` is for the commands of operators; `personal` allows nothing, and shows account numbers whole (api/http/masking.ts). */
export const SCOPES = ['read', 'write', 'operate', 'personal'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  /** Names this key, in logs and in the session of an operator. */
  id: string;
  /** The stable name of the caller. Several keys have the same one while a key is replaced. */
  principal: string;
  scopes: readonly Scope[];
  sha256: Secret<Buffer>;
}

/** The key in an Authorization header. */
export function keyOf(keys: readonly ApiKey[], authorization: string | undefined): ApiKey | undefined {
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return secret === undefined ? undefined : keyWithSecret(keys, secret);
}

/** Compares with every key, each in constant time, so that the time taken reveals nothing. */
export function keyWithSecret(keys: readonly ApiKey[], secret: string): ApiKey | undefined {
  const sha256 = createHash('sha256').update(secret).digest();
  const [match] = keys.filter((key) => timingSafeEqual(key.sha256.reveal(), sha256));
  return match;
}
