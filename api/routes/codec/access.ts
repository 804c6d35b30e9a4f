// Who may have payloads decoded: an operator's API key, or the cookie that our login page gave for one; and from where.
import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { unauthenticated } from '../../http/contract.js';
import type { ApiDependencies, CodecSettings } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { ApiError } from '../../http/problems/errors.js';
import { keyOf } from '../../http/api-keys.js';
import { sessionOf } from './session.js';

/** A tool on a command line has no origin; a browser's page needs one of those that are named, or to be ours. */
export const admitOrigins = ({ origins, isSecure }: CodecSettings): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !origins.includes(origin) && origin !== ownOrigin(c, isSecure))
      throw foreignOrigin();
    await next();
  });

/** Lets these pages read our answers, refusals too, and send the cookie. */
export const answerOrigins = ({ origins }: CodecSettings): MiddlewareHandler<Env> =>
  cors({
    origin: [...origins],
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace', 'X-Request-Id'],
    credentials: true,
    maxAge: 600,
  });

/** For our own forms: what another page's form sends changes nothing, whatever that page knows. */
export const requireOwnPage = ({ isSecure }: Pick<CodecSettings, 'isSecure'>): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const site = c.req.header('sec-fetch-site');
    const own = ownOrigin(c, isSecure);
    const isOurs =
      site === undefined ? own !== undefined && c.req.header('origin') === own : site === 'same-origin';
    if (!isOurs) throw foreignOrigin();
    await next();
  });

/** By an API key, or by the cookie that our login page gave for one. */
export const identifyOperator = (dependencies: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const key = keyOf(dependencies.keys, c.req.header('authorization')) ?? sessionOf(c, dependencies)?.key;
    if (key === undefined) throw unauthenticated(', or the cookie of /codec/login');
    c.set('apiKey', key);
    await next();
  });

/** What was sealed for another namespace does not open here in any case; asking for it is a mistake. */
export const requireNamespace = ({ namespace }: CodecSettings): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const requested = c.req.header('x-namespace');
    if (requested === undefined) {
      throw new ApiError('invalid_request', 'Expected the header X-Namespace.', {
        errors: [{ header: 'X-Namespace', detail: 'expected the name of the namespace' }],
      });
    }
    if (requested !== namespace) {
      throw new ApiError(
        'namespace_not_served',
        `Expected the namespace ${namespace}, the only one decoded here.`,
      );
    }
    await next();
  });

/** Ours as the browser names it. The scheme is the one we are reached by: behind a proxy the request itself came without TLS. */
function ownOrigin(c: Context<Env>, isSecure: boolean): string | undefined {
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  const own = `${isSecure ? 'https' : 'http'}://${host}`;
  return URL.canParse(own) ? new URL(own).origin : undefined;
}

const foreignOrigin = (): ApiError =>
  new ApiError(
    'origin_not_allowed',
    'Expected a page of this API, or of an origin that CODEC_ORIGINS names exactly.',
  );
