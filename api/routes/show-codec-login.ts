// In:  GET /codec/login, an operator's browser.
// Out: a page: the form, or until when the operator is signed in.
import { createRoute } from '@hono/zod-openapi';
import { showLoginPage, showSignedInPage } from '../codec/pages.js';
import { sessionOf } from '../codec/session.js';
import { page } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';

const route = createRoute({
  method: 'get',
  path: '/codec/login',
  operationId: 'showCodecLogin',
  tags: ['operations'],
  summary: 'Where an operator signs in, so that Temporal’s UI shows what is sealed',
  responses: { 200: page('The form, or that one is signed in.') },
});

export function registerShowCodecLogin(router: Router, dependencies: ApiDependencies): void {
  router.openAPIRegistry.registerPath(route);
  router.get(route.path, (c) => {
    const session = sessionOf(c, dependencies);
    return session === undefined ? showLoginPage(c) : showSignedInPage(c, session);
  });
}
