// What a body must be before anyone reads its fields: JSON by its type, of bounded size, and well-formed.
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './env.js';
import { ApiError, notJson } from './problems/errors.js';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Refuses what does not call itself JSON. */
export const requireJsonType: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  assertJsonType(c);
  await next();
});

function assertJsonType(c: Context<Env>): void {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) throw notJson();
}

/**
 * Refuses a body above the limit, by its announced length or while it streams in; no more than the limit is buffered. The rest is
 * not read, so the connection is of no more use.
 */
export const limitBody = (maxSize: number): MiddlewareHandler<Env> =>
  bodyLimit({
    maxSize,
    onError: () => {
      const headers = { connection: 'close' };
      throw new ApiError('body_too_large', `Expected a body of at most ${maxSize / 1024} KiB.`, { headers });
    },
  });

/** Refuses what is not UTF-8 or not JSON; the validators behind it read the same bytes again. */
function assertWellFormed(bytes: ArrayBuffer): void {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('malformed_json', 'Expected a body of well-formed JSON in UTF-8.');
  }
}

/** What must be true of a JSON body before its fields are validated; an optional one is checked only when it is there. */
export const requireJson = (
  maxSize: number,
  { isOptional }: { isOptional: boolean },
): MiddlewareHandler<Env>[] =>
  isOptional ? [limitBody(maxSize), optionalBody] : [requireJsonType, limitBody(maxSize), neededBody];

const neededBody = createMiddleware<Env>(async (c, next) => {
  assertWellFormed(await c.req.arrayBuffer());
  await next();
});

const optionalBody = createMiddleware<Env>(async (c, next) => {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength > 0) {
    assertJsonType(c);
    assertWellFormed(bytes);
  } else {
    // Many clients send the content type with no body: that means {}.
    Object.assign(c.req.bodyCache, { text: Promise.resolve('{}') });
  }
  await next();
});
