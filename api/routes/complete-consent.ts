// In:  GET /oauth/callback, a person's browser coming back from the authorisation server.
// Out: api/temporal/door.ts hands the sealed code to workflows/connection/workflow.ts; a page for that person.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { consentAnswer, openState } from '../consent.js';
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
    500: page('Something of ours keeps the authorisation server from letting us in.'),
    502: page('The authorisation server is too busy, or gave no clear answer.'),
    503: page('Temporal or the worker is not answering.'),
  },
});

/** Why the connection did not come about, and what the person is shown for each. */
const REFUSALS: Readonly<Record<string, PageName>> = {
  consent_round_unknown: 'used',
  consent_round_expired: 'expired',
  code_refused: 'refused',
  grant_refused: 'refused', // as workers of before call it
  client_refused: 'ours',
  rejected: 'ours',
  SealError: 'ours',
  rate_limited: 'busy',
  unavailable: 'unclear',
  unanswered: 'unclear',
  malformed: 'unclear',
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

/** Each may be given once: which of two would be meant, nobody could say. */
const PARAMETERS = ['error', 'code', 'state'] as const;

async function complete(c: Context<Env>, { temporal, keyring }: ApiDependencies): Promise<PageName> {
  if (PARAMETERS.some((name) => (c.req.queries(name)?.length ?? 0) > 1)) return 'incomplete';
  const error = c.req.query('error') ?? '';
  if (error !== '') return error === 'access_denied' ? 'declined' : 'refused';
  const [code, sealed] = [legible(c.req.query('code')), legible(c.req.query('state'))];
  if (code === undefined || sealed === undefined) return 'incomplete';
  const state = openState(keyring, sealed);
  if (state === undefined) return 'foreign';
  const answer = consentAnswer(keyring, state, code);
  const { refused } = await temporal.connections.complete(state.connection, answer);
  if (refused === undefined) return 'connected';
  return REFUSALS[refused] ?? 'unclear';
}

/** Not empty, and not overlong. */
const legible = (value = ''): string | undefined =>
  value !== '' && value.length <= MAX_LENGTH ? value : undefined;
const MAX_LENGTH = 4096;
