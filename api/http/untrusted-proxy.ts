// Warns, once, if a proxy seems to be in front of the API although TRUSTED_PROXIES is 0: all strangers then share one rate, and one bound of
// connections.
import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from '../../telemetry/logger.js';
import type { Env } from './env.js';

const FORWARDED = ['x-forwarded-for', 'x-real-ip', 'forwarded'];

/** @param proxies how many are trusted. */
export function warnOfUntrustedProxy({
  log,
  proxies,
}: {
  log: Logger;
  proxies: number;
}): MiddlewareHandler<Env> {
  let isDue = proxies === 0;
  return createMiddleware<Env>(async (c, next) => {
    if (isDue && FORWARDED.some((name) => c.req.header(name) !== undefined)) {
      isDue = false;
      log.warn('forwarded header ignored', {
        request_id: c.get('requestId'),
        variable: 'TRUSTED_PROXIES',
        problem:
          'a request has a header of a proxy. If a proxy of yours is in front of the API, set how many are; if none is, a stranger sent it: leave 0',
      });
    }
    await next();
  });
}
