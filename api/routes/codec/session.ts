// An operator's codec session in a browser: a cookie that is valid for an hour. It is sealed with SESSION_KEYS and names the
// operator's API key, so we store nothing.
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { CODEC_SESSION_CONTEXT } from '../../../sealing/contexts.js';
import type { ApiKey } from '../../http/api-keys.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { openValue, sealValue } from '../../http/sealed-value.js';

const CODEC_COOKIE = 'payto_codec';
const LIFE_SECONDS = 60 * 60;
/** Browsers send it only to /codec. With `Strict`, no request from another site carries it, not even a followed link. */
const ATTRIBUTES = { path: '/codec', httpOnly: true, sameSite: 'Strict' } as const;

const Leave = z.object({ key: z.string(), sha256: z.string(), expiresAtMs: z.int() });
type Leave = z.output<typeof Leave>;

export interface CodecSession {
  key: ApiKey;
  expiresAtMs: number;
}
type Ring = Pick<ApiDependencies, 'keys' | 'sessionKeys' | 'clock'>;

/** Sets the cookie of an operator's session. */
export function beginSession(
  c: Context<Env>,
  { sessionKeys, clock, isSecure }: Omit<Ring, 'keys'> & Pick<ApiDependencies, 'isSecure'>,
  key: ApiKey,
): void {
  const leave: Leave = {
    key: key.id,
    sha256: key.sha256.reveal().toString('hex'),
    expiresAtMs: clock.now() + LIFE_SECONDS * 1000,
  };
  const sealed = sealValue(sessionKeys, leave, CODEC_SESSION_CONTEXT);
  setCookie(c, CODEC_COOKIE, sealed, { ...ATTRIBUTES, secure: isSecure, maxAge: LIFE_SECONDS });
}

export function endSession(c: Context<Env>, { isSecure }: Pick<ApiDependencies, 'isSecure'>): void {
  deleteCookie(c, CODEC_COOKIE, { ...ATTRIBUTES, secure: isSecure });
}

/** The session in the request's cookie. Undefined if it has expired, or its API key was changed or removed. */
export function sessionOf(c: Context<Env>, { keys, sessionKeys, clock }: Ring): CodecSession | undefined {
  const leave = openValue(sessionKeys, getCookie(c, CODEC_COOKIE) ?? '', CODEC_SESSION_CONTEXT, Leave);
  if (leave === undefined || clock.now() >= leave.expiresAtMs) return undefined;
  const key = keys().find(
    ({ id, sha256 }) => id === leave.key && sha256.reveal().toString('hex') === leave.sha256,
  );
  return key && { key, expiresAtMs: leave.expiresAtMs };
}
