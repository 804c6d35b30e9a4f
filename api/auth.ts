// Who may call: bearer keys, known only by their SHA-256, each with the scopes it was given.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from './errors.js';
import type { Env } from './env.js';
import type { Secret } from '../sealing/secret.js';

/** `operate` is for the commands of operators. */
export const SCOPES = ['read', 'write', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  scopes: readonly Scope[];
  sha256: Secret<Buffer>;
}

/** What only operators may do, whatever the method. */
const FOR_OPERATORS = /^\/v1\/(agreements\/[^/]+\/attention\/|connections\/[^/]+\/revocation$)/;

const SCOPE_BY_METHOD: Readonly<Record<string, Scope>> = { GET: 'read', HEAD: 'read', POST: 'write' };

/** Lets a call pass whose key exists and has the scope that its method needs. */
export const authenticate = (keys: readonly ApiKey[]): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const key = keyOf(keys, c.req.header('authorization'));
    if (key === undefined) throw unauthenticated();
    const scope = FOR_OPERATORS.test(c.req.path) ? 'operate' : SCOPE_BY_METHOD[c.req.method];
    if (scope !== undefined && !key.scopes.includes(scope)) throw insufficientScope(scope);
    c.set('apiKeyId', key.id);
    await next();
  });

/** @param or what would do instead of a key, where something would. */
export const unauthenticated = (or = ''): ApiError =>
  new ApiError(
    'unauthenticated',
    `Expected the header Authorization: Bearer <API key> with a key that is known${or}.`,
    { headers: { 'www-authenticate': 'Bearer realm="payto"' } },
  );

export const insufficientScope = (scope: Scope): ApiError =>
  new ApiError('insufficient_scope', `Expected a key with the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="payto", error="insufficient_scope", scope="${scope}"` },
  });

/** The key in an Authorization header. */
export function keyOf(keys: readonly ApiKey[], authorization: string | undefined): ApiKey | undefined {
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return secret === undefined ? undefined : keyWithSecret(keys, secret);
}

/** Compares with every key, each in constant time, so that the time taken tells nothing. */
export function keyWithSecret(keys: readonly ApiKey[], secret: string): ApiKey | undefined {
  const sha256 = createHash('sha256').update(secret).digest();
  const [match] = keys.filter((key) => timingSafeEqual(key.sha256.reveal(), sha256));
  return match;
}
