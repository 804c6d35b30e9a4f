// In:  POST /codec/logout, the button of our page.
// Out: the cookie is taken back, and the login page is shown.
import { createRoute } from '@hono/zod-openapi';
import { requireOwnPage } from '../codec/access.js';
import { endSession } from '../codec/session.js';
import { problems } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  method: 'post',
  path: '/codec/logout',
  operationId: 'endCodecSession',
  tags: ['operations'],
  summary: 'Sign out',
  responses: { 303: { description: 'Signed out.' }, ...problems(403) },
});

export function registerEndCodecSession(router: Router, { codec }: ApiDependencies): void {
  router.openAPIRegistry.registerPath(route);
  router.post(route.path, requireOwnPage(codec), (c) => {
    endSession(c, codec.isSecure);
    return c.redirect('/codec/login', 303);
  });
}
