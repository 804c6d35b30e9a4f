// In:  POST /codec/login, the form of our login page.
// Out: a cookie (api/codec/session.ts), or the form again with why not.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { keyWithSecret } from '../auth.js';
import { limitBody } from '../body.js';
import { requireOwnPage } from '../codec/access.js';
import { showLoginPage } from '../codec/pages.js';
import type { Refused } from '../codec/pages.js';
import { beginSession } from '../codec/session.js';
import { page, problems } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Env, Router } from '../env.js';

const LIMIT = 4 * 1024;

const Form = z.object({ key: z.string() });

const route = createRoute({
  method: 'post',
  path: '/codec/login',
  operationId: 'beginCodecSession',
  tags: ['operations'],
  summary: 'Sign in with an API key of the scope operate, for an hour',
  request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
  responses: {
    303: { description: 'Signed in; the cookie is set.' },
    401: page('No such key; the form again.'),
    403: page(
      'The key lacks the scope operate; the form again. A problem where another site’s page sent it.',
    ),
    ...problems(413),
  },
});

export function registerBeginCodecSession(router: Router, dependencies: ApiDependencies): void {
  const { codec, keys, log } = dependencies;
  // Only documented as a typed route: what comes from a browser gets a page, not a problem.
  router.openAPIRegistry.registerPath(route);
  router.post(route.path, requireOwnPage(codec), limitBody(LIMIT), async (c) => {
    const key = keyWithSecret(keys, await pastedKey(c));
    if (key === undefined) return refuse(c, 'unauthenticated');
    if (!key.scopes.includes('operate')) return refuse(c, 'insufficient_scope');
    beginSession(c, dependencies, key, codec.isSecure);
    log.info('codec session begun', { request_id: c.get('requestId'), api_key_id: key.id });
    return c.redirect(route.path, 303);
  });
}

/** Whatever is no such form holds no key. */
async function pastedKey(c: Context<Env>): Promise<string> {
  const { key } = await c.req.parseBody().catch(() => ({ key: undefined }));
  return typeof key === 'string' ? key.trim() : '';
}

function refuse(c: Context<Env>, why: Refused): Response | Promise<Response> {
  c.set('problem', why);
  return showLoginPage(c, why);
}
