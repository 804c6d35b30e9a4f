// The cookie of a browser that consents. Only its hash leaves the browser's requests: in the state and in the workflow.
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Env } from '../../http/env.js';

const COOKIE = 'payto_consent';
const LIFE_SECONDS = 10 * 60;
/** With `Lax`, the provider's redirect back to us carries it, but no request that another site makes by itself. */
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: LIFE_SECONDS } as const;
const COOKIE_FORM = /^[\w-]{43}$/;

/** With the prefix `__Host-`, neither another host nor plain http can set it. Browsers accept the prefix over https only. */
const cookieOf = (c: Context<Env>, isSecure: boolean): string | undefined => {
  const cookie = isSecure ? getCookie(c, COOKIE, 'host') : getCookie(c, COOKIE);
  return cookie !== undefined && COOKIE_FORM.test(cookie) ? cookie : undefined;
};

const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');

/** The hash of the request's cookie. Undefined without one. */
export function browserOf(c: Context<Env>, isSecure: boolean): string | undefined {
  const cookie = cookieOf(c, isSecure);
  return cookie === undefined ? undefined : hashOf(cookie);
}

/** Sets the cookie, or prolongs it, because one browser may consent for two connections at once. Returns its hash. */
export function markBrowser(c: Context<Env>, isSecure: boolean): string {
  const cookie = cookieOf(c, isSecure) ?? randomBytes(32).toString('base64url');
  if (isSecure) setCookie(c, COOKIE, cookie, { ...ATTRIBUTES, secure: true, prefix: 'host' });
  else setCookie(c, COOKIE, cookie, ATTRIBUTES);
  return hashOf(cookie);
}
