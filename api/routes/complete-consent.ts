// In:  GET /oauth/callback, a person's browser coming back from the authorisation server.
// Out: api/temporal/door.ts hands the sealed code to workflows/connection/workflow.ts; a page for that person.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { consentAnswer, openState } from '../consent.js';
import { contract, page, rawEndpoint } from '../contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Env } from '../env.js';
import { ApiError } from '../errors.js';
import { showPage } from '../pages.js';
import type { PageName } from '../pages.js';

const stated = contract({
  method: 'get',
  path: '/oauth/callback',
  operationId: 'completeConsent',
  tags: ['connections'],
  summary: 'Where the authorisation server sends a person back to',
  access: 'public',
  request: {
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().optional(),
    }),
  },
  answers: {
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
  client_refused: 'ours',
  rejected: 'ours',
  SealError: 'ours',
  rate_limited: 'busy',
  unavailable: 'unclear',
  unanswered: 'unclear',
  malformed: 'unclear',
};

export const completeConsent = rawEndpoint(stated, (dependencies) => async (c) => {
  const outcome = await complete(c, dependencies).catch((error: unknown) => {
    if (error instanceof ApiError) return error.code === 'not_found' ? 'foreign' : 'unavailable';
    throw error;
  });
  return showPage(c, outcome);
});

/** Each may be given once: which of two would be meant cannot be known. */
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
