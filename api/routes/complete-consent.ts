// In:  GET /oauth/callback, a person's browser coming back from the authorisation server.
// Out: api/temporal.ts hands the sealed code to workflows/connection.ts; a page for that person.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { codeContext } from '../../sealing/contexts.js';
import { seal } from '../../sealing/keyring.js';
import { openState } from '../consent.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Env, Router } from '../env.js';
import { ApiError } from '../errors.js';
import { showPage } from '../pages.js';
import type { PageName } from '../pages.js';

const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });

const route = createRoute({
  method: 'get',
  path: '/oauth/callback',
  operationId: 'completeConsent',
  tags: ['connections'],
  summary: 'Where the authorisation server sends a person back to',
  request: {
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().optional(),
    }),
  },
  responses: {
    200: page('Connected.'),
    400: page('Something is missing, or the link is not one of ours.'),
    403: page('The person did not consent.'),
    410: page('The link is too old, or was used.'),
    503: page('Temporal or the worker is not answering.'),
  },
});

/** Refusals of the connection, and what the person is shown for each. */
const REFUSALS: Readonly<Record<string, PageName>> = {
  consent_round_unknown: 'used',
  consent_round_expired: 'expired',
};

export function registerCompleteConsent(router: Router, dependencies: ApiDependencies): void {
  // Only documented as a typed route: what comes from a browser gets a page, not a problem.
  router.openAPIRegistry.registerPath(route);
  router.get(route.path, async (c) => {
    const outcome = await complete(c, dependencies).catch((error: unknown) => {
      if (error instanceof ApiError) return error.code === 'not_found' ? 'foreign' : 'unavailable';
      throw error;
    });
    return showPage(c, outcome);
  });
}

async function complete(c: Context<Env>, { temporal, keyring, clock }: ApiDependencies): Promise<PageName> {
  const [error, code, sealed] = [single(c, 'error'), single(c, 'code'), single(c, 'state')];
  if (error !== undefined) return error === 'access_denied' ? 'declined' : 'refused';
  if (code === undefined || sealed === undefined) return 'incomplete';
  const opened = openState(keyring, sealed, clock.now());
  if (opened === undefined) return 'foreign';
  if (opened.isExpired) return 'expired';
  const { connection, round } = opened.state;
  const sealedCode = seal(keyring, code, codeContext(connection, round));
  const { refused } = await temporal.connections.complete(connection, { round, sealedCode });
  if (refused === undefined) return 'connected';
  return REFUSALS[refused] ?? 'refused';
}

/** A parameter that is given once, not empty and not overlong. */
function single(c: Context<Env>, name: string): string | undefined {
  const [value, ...more] = c.req.queries(name) ?? [];
  return value !== undefined && value !== '' && value.length <= 4096 && more.length === 0 ? value : undefined;
}
