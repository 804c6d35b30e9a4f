// Counts refused webhooks, and warns of them. The provider does not repeat most of them, so each may be a lost event.
import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import type { ProblemCode } from './problems/codes.js';

/** Also addresses that were registered slightly wrong. */
const TO_WEBHOOKS = /^\/+webhook/i;
/** For each reason, because strangers cause most refusals. */
const WARN_EVERY_MS = 60_000;

export function noteRefusedWebhooks({ metrics, log, clock }: ApiDependencies): MiddlewareHandler<Env> {
  const noted = new Map<ProblemCode, { warnedAt: number; count: number }>();
  const warn = (reason: ProblemCode, requestId: string): void => {
    const { warnedAt, count } = noted.get(reason) ?? { warnedAt: -Infinity, count: 0 };
    const isDue = clock.now() >= warnedAt + WARN_EVERY_MS;
    if (isDue) log.warn('webhooks refused', { request_id: requestId, code: reason, count: count + 1 });
    noted.set(reason, isDue ? { warnedAt: clock.now(), count: 0 } : { warnedAt, count: count + 1 });
  };
  return createMiddleware<Env>(async (c, next) => {
    await next();
    const reason = c.get('problem');
    if (reason === undefined || c.req.method !== 'POST' || !TO_WEBHOOKS.test(c.req.path)) return;
    metrics.webhooksRefused.add(1, { reason });
    warn(reason, c.get('requestId'));
  });
}
