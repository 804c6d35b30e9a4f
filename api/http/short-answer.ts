// A key that may write and not read gets a short answer to its writes, instead of everything about the resource.
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import type { Scope } from './api-keys.js';

/** What the caller needs next. A dry run returns only what the real request would return. */
const KEPT: ReadonlySet<string> = new Set([
  ...['uid', 'id', 'state', 'status', 'authorize_url', 'secret'],
  ...['dry_run', 'admissible', 'refusal', 'counts'],
]);
const READERS: readonly Scope[] = ['read', 'operate'];

export const shortenForWriters = createMiddleware<Env>(async (c, next) => {
  await next();
  const { status, headers } = c.res;
  const isJson = headers.get('content-type') === 'application/json';
  if (!isJson || c.get('apiKey')?.scopes.some((scope) => READERS.includes(scope)) === true) return;
  const answer: unknown = await c.res.json();
  c.res = new Response(JSON.stringify(shortened(answer)), { status, headers });
});

function shortened(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return answer;
  const { data } = answer;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { data: null };
  return { data: Object.fromEntries(Object.entries(data).filter(([name]) => KEPT.has(name))) };
}
