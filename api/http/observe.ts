// Writes one log line and one metric for each request: route pattern, status and duration. Never logs content.
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';

export const observe = ({ log, metrics, clock }: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const started = clock.now();
    await next();
    const ms = clock.now() - started;
    const { method } = c.req;
    const { status } = c.res;
    const route = routeOf(c);
    const code = c.get('problem');
    metrics.requestSeconds.record(ms / 1000, { method, route, status: String(status) });
    log[status >= 500 ? 'warn' : 'info']('request', {
      request_id: c.get('requestId'),
      provider_request_id: c.get('providerRequestId'),
      api_key_id: c.get('apiKey')?.id,
      principal: c.get('apiKey')?.principal ?? (isVerified(c) ? PROVIDER : STRANGER),
      method,
      route,
      status,
      duration_ms: ms,
      code,
      error_class: classOf(c.error),
    });
  });

const PROVIDER = 'provider';
const STRANGER = 'anonymous';
const isVerified = (c: Context<Env>): boolean => c.get('isOfProvider') === true;

/** The route pattern, so that no uid appears in logs or labels. */
function routeOf(c: Context<Env>): string {
  const pattern = routePath(c, -1);
  return pattern.includes('*') ? 'unmatched' : pattern;
}

/** The class of the cause, if there is one. Our own refusals have a code. */
function classOf(error: Error | undefined): string | undefined {
  return (error?.cause instanceof Error ? error.cause : error)?.constructor.name;
}
