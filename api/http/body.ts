// Checks a body before its fields are validated: JSON content type, limited size, well-formed.
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './env.js';
import { assertFewValues, assertPlain, mostValuesIn } from './plain-json.js';
import { ApiError, notJson } from './problems/errors.js';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

const requireJsonType: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  assertJsonType(c);
  await next();
});

/** @throws ApiError if the content type is not JSON. */
export function assertJsonType(c: Context<Env>): void {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) throw notJson();
}

/**
 * Refuses a body above the limit, by its content length or during streaming. Buffers at most the limit. Closes the connection,
 * because the rest of the body stays unread.
 */
export function limitBody(maxSize: number): MiddlewareHandler<Env> {
  const refuse = (): never => {
    const headers = { connection: 'close' };
    throw new ApiError('body_too_large', `The body is too large. Expected at most ${maxSize / 1024} KiB.`, {
      headers,
    });
  };
  const whileStreaming = bodyLimit({ maxSize, onError: refuse });
  return createMiddleware<Env>(async (c, next) => {
    const length = c.req.header('content-length');
    // Node has checked the content length. The library would build a whole `Request` first, only to see whether there is a body.
    if (length === undefined || c.req.header('transfer-encoding') !== undefined)
      return whileStreaming(c, next);
    if (Number(length) > maxSize) refuse();
    await next();
  });
}

/** Refuses a body that is not valid JSON in UTF-8, or dangerous. The validators read the same bytes again later. */
function assertWellFormed(bytes: ArrayBuffer, maxSize: number): void {
  assertFewValues(new Uint8Array(bytes), mostValuesIn(maxSize));
  assertPlain(parsed(bytes));
}

function parsed(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('malformed_json', 'The body is not well-formed. Expected JSON in UTF-8.');
  }
}

/** Checks a JSON body before its fields are validated. An optional body is checked only if it is present. */
export const requireJson = (
  maxSize: number,
  { isOptional }: { isOptional: boolean },
): MiddlewareHandler<Env>[] =>
  isOptional
    ? [limitBody(maxSize), optionalBody(maxSize)]
    : [requireJsonType, limitBody(maxSize), neededBody(maxSize)];

const neededBody = (maxSize: number): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    assertWellFormed(await c.req.arrayBuffer(), maxSize);
    await next();
  });

const optionalBody = (maxSize: number): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const bytes = await c.req.arrayBuffer();
    if (bytes.byteLength > 0) {
      assertJsonType(c);
      assertWellFormed(bytes, maxSize);
    } else {
      // Many clients send the content type without a body. Treat that as {}.
      Object.assign(c.req.bodyCache, { text: Promise.resolve('{}') });
    }
    await next();
  });
