// CSRF protection: accepts forms only from our own pages.
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

/** @param isSecure whether browsers reach us by https. */
export const requireOwnPage = (isSecure: boolean): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const site = c.req.header('sec-fetch-site');
    const own = ownOrigin(c, isSecure);
    const isOurs =
      site === undefined ? own !== undefined && c.req.header('origin') === own : site === 'same-origin';
    if (!isOurs) throw foreignOrigin();
    await next();
  });

/** Our origin as browsers send it. Uses the public scheme, because a TLS proxy forwards plain http. */
export function ownOrigin(c: Context<Env>, isSecure: boolean): string | undefined {
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  const own = `${isSecure ? 'https' : 'http'}://${host}`;
  return URL.canParse(own) ? new URL(own).origin : undefined;
}

export const foreignOrigin = (): ApiError =>
  new ApiError(
    'origin_not_allowed',
    'This origin is not allowed. Use a page of this API, or add the exact origin to CODEC_ORIGINS.',
  );
