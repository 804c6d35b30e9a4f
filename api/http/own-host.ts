// Refuses requests whose Host is an unexpected name. With DNS rebinding, a foreign page makes a browser in our network send requests to this
// port under the page's own name, and could read the answers. An address is never such a name.
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

const LOOPBACK = 'localhost';

/** @param names further host names, without a port. */
export const requireOwnHost = (names: readonly string[]): MiddlewareHandler<Env> => {
  const own = new Set([LOOPBACK, ...names.map((name) => name.toLowerCase())]);
  return createMiddleware<Env>(async (c, next) => {
    const name = nameIn(c.req.header('host') ?? new URL(c.req.url).host);
    if (isIP(name) === 0 && !own.has(name)) throw foreignHost();
    await next();
  });
};

/** Without the port, the brackets of IPv6 and the dot of a full name. Empty if it is malformed. */
function nameIn(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') : '';
}

const foreignHost = (): ApiError =>
  new ApiError(
    'host_not_allowed',
    'This host name is not allowed. Use localhost or the address, or add the name to ADMIN_HOSTS.',
  );
