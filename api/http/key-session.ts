// Sessions in a browser: a cookie that is sealed with SESSION_KEYS and names the API key of the person who signed in, so we store nothing.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { ApiKey } from './api-keys.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import { openValue, sealValue } from './sealed-value.js';

const Leave = z.object({ key: z.string(), sha256: z.string(), expiresAtMs: z.int() });
type Leave = z.output<typeof Leave>;

export interface KeySession {
  key: ApiKey;
  expiresAtMs: number;
  /** Only this session's pages contain it. A page of another site cannot read or derive it. */
  formToken: string;
}

interface Place {
  cookie: string;
  /** Browsers send the cookie only to this path. */
  path: string;
  /** The purpose that the cookie is sealed for. */
  context: string;
  lifeSeconds: number;
}
type Ring = Pick<ApiDependencies, 'sessionKeys' | 'clock'>;
type Secure = Pick<ApiDependencies, 'isSecure'>;

export interface KeySessions {
  /** Sets the cookie. */
  begin: (c: Context<Env>, dependencies: Ring & Secure, key: ApiKey) => KeySession;
  /** Deletes the cookie. */
  end: (c: Context<Env>, dependencies: Secure) => void;
  /** The session in the request's cookie. Undefined if it has expired, or its API key was changed or removed. */
  of: (c: Context<Env>, dependencies: Ring & Pick<ApiDependencies, 'keys'>) => KeySession | undefined;
}

/** With `Strict`, no request from another site carries the cookie, not even a followed link. */
export function keySessions({ cookie, path, context, lifeSeconds }: Place): KeySessions {
  const attributes = { path, httpOnly: true, sameSite: 'Strict' } as const;
  return {
    begin: (c, { sessionKeys, clock, isSecure }, key) => {
      const leave: Leave = {
        key: key.id,
        sha256: key.sha256.reveal().toString('hex'),
        expiresAtMs: clock.now() + lifeSeconds * 1000,
      };
      const sealed = sealValue(sessionKeys, leave, context);
      setCookie(c, cookie, sealed, { ...attributes, secure: isSecure, maxAge: lifeSeconds });
      return { key, expiresAtMs: leave.expiresAtMs, formToken: formTokenOf(sealed) };
    },
    end: (c, { isSecure }) => void deleteCookie(c, cookie, { ...attributes, secure: isSecure }),
    of: (c, { keys, sessionKeys, clock }) => {
      const sealed = getCookie(c, cookie) ?? '';
      const leave = openValue(sessionKeys, sealed, context, Leave);
      if (leave === undefined || clock.now() >= leave.expiresAtMs) return undefined;
      const key = keys().find(
        ({ id, sha256 }) => id === leave.key && sha256.reveal().toString('hex') === leave.sha256,
      );
      return key && { key, expiresAtMs: leave.expiresAtMs, formToken: formTokenOf(sealed) };
    },
  };
}

/** Scripts cannot read the cookie, so only this process can derive the token. */
const formTokenOf = (sealed: string): string =>
  createHash('sha256').update(`form ${sealed}`).digest('base64url');
