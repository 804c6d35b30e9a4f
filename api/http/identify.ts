// Identifies callers by their API keys, and checks the scopes.
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { bearerIn, isMistyped, keyWithSecret, type ApiKey, type Scope } from './api-keys.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

/** Identifies the caller by the API key in the Authorization header, unless this process has identified it (api/console/own-api.ts). */
export const byApiKey = (dependencies: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c: Context<Env>, next) => {
    c.set('apiKey', c.get('apiKey') ?? (await keyInHeader(c, dependencies)));
    await next();
  });

/**
 * The caller's key. Callers without one are limited by address; a wrong one is slowed down and counted.
 * @param or the alternative to an API key, for the message.
 * @throws ApiError `unauthenticated`, `too_many_requests`
 */
export async function keyInHeader(
  c: Context<Env>,
  { keys, failedLogins, rates }: Pick<ApiDependencies, 'keys' | 'failedLogins' | 'rates'>,
  or?: string,
): Promise<ApiKey> {
  const secret = bearerIn(c.req.header('authorization'));
  const key = secret === undefined ? undefined : keyWithSecret(keys(), secret);
  if (key !== undefined) return key;
  await rates.ofAddress(c, () => Promise.resolve());
  if (secret === undefined) throw unauthenticated(or);
  await failedLogins.note('api');
  throw unauthenticated(or, isMistyped(secret) ? ' Its checksum is wrong, so it was mistyped or cut.' : '');
}

/** Also refuses unidentified callers, so a route without identification is closed, not open. */
export const requireScope = (scope: Scope): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    c.set('principal', withScope(c.get('apiKey'), scope).principal);
    await next();
  });

/** Checks an extra scope that some fields of a body need. @throws ApiError `unauthenticated`, `insufficient_scope` */
export function withScope(key: ApiKey | undefined, scope: Scope): ApiKey {
  if (key === undefined) throw unauthenticated();
  if (!key.scopes.includes(scope)) throw insufficientScope(scope);
  return key;
}

const unauthenticated = (or = '', why = ''): ApiError =>
  new ApiError(
    'unauthenticated',
    `The API key is missing or unknown.${why} Send the header Authorization: Bearer <API key>${or}.`,
    { headers: { 'www-authenticate': 'Bearer realm="payto"' } },
  );

const insufficientScope = (scope: Scope): ApiError =>
  new ApiError('insufficient_scope', `This API key lacks a scope. Use a key with the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="payto", error="insufficient_scope", scope="${scope}"` },
  });
