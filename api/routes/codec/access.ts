// Access to the codec: an operator's API key or session cookie, and an allowed origin.
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { bearerIn, keyWithSecret } from '../../http/api-keys.js';
import { keyInHeader } from '../../http/identify.js';
import type { ApiDependencies, CodecSettings } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { foreignOrigin, ownOrigin } from '../../http/own-page.js';
import { ApiError } from '../../http/problems/errors.js';
import { CODEC_SESSIONS } from './session.js';

/** Allows configured origins, our own pages, and requests without an origin (command-line tools). */
export const admitOrigins = ({ codec: { origins }, isSecure }: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !origins.includes(origin) && origin !== ownOrigin(c, isSecure))
      throw foreignOrigin();
    await next();
  });

/** CORS: lets the configured origins read our responses, including refusals, and send the cookie. */
export const answerOrigins = ({ origins }: CodecSettings): MiddlewareHandler<Env> =>
  cors({
    origin: [...origins],
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace', 'X-Request-Id'],
    credentials: true,
    maxAge: 600,
  });

/** Identifies an operator by an API key or by the session cookie of our sign-in page. */
export const identifyOperator = (dependencies: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const authorization = c.req.header('authorization');
    // The UI may send a token of its own beside our cookie.
    const own = keyWithSecret(dependencies.keys(), bearerIn(authorization) ?? '');
    const key =
      own ??
      CODEC_SESSIONS.of(c, dependencies)?.key ??
      (await keyInHeader(c, dependencies, ', or sign in at /codec/login'));
    c.set('apiKey', key);
    await next();
  });

/** Refuses other namespaces early. Their payloads could not be opened anyway. */
export const requireNamespace = ({ namespace }: CodecSettings): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const requested = c.req.header('x-namespace');
    if (requested === undefined) {
      throw new ApiError('invalid_request', 'The header X-Namespace is missing.', {
        errors: [{ header: 'X-Namespace', detail: 'expected the name of the namespace' }],
      });
    }
    if (requested !== namespace) {
      throw new ApiError(
        'namespace_not_served',
        `This API decodes only payloads of the namespace ${namespace}.`,
      );
    }
    await next();
  });
