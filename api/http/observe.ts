// One line in the log and one observation for each request: its route's pattern, status and time, and nothing of its content.
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
    metrics.requestSeconds.observe({ method, route, status: String(status) }, ms / 1000);
    log[status >= 500 ? 'warn' : 'info']('request', {
      request_id: c.get('requestId'),
      provider_request_id: c.get('providerRequestId'),
      api_key_id: c.get('apiKey')?.id,
      method,
      route,
      status,
      duration_ms: ms,
      code,
      error_class: classOf(c.error),
    });
  });

/** The pattern, so that uids are neither logged nor made into labels. What matched no route has no pattern. */
function routeOf(c: Context<Env>): string {
  const pattern = routePath(c, -1);
  return pattern.includes('*') ? 'unmatched' : pattern;
}

/** Of what lay beneath, where there is something: our own refusals say enough by their code. */
function classOf(error: Error | undefined): string | undefined {
  return (error?.cause instanceof Error ? error.cause : error)?.constructor.name;
}
