import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { leave, pageOfError } from './begin-consent.js';
import { browserOf } from './browser.js';
import { pageOf, type PageName } from './consent-pages.js';
import { LONGEST_SEALED, consentAnswer, openState, type Ticket } from './oauth-state.js';
import { contract, page, rawEndpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { ApiError } from '../../http/problems/errors.js';

const stated = contract({
  method: 'get',
  path: '/oauth/callback',
  operationId: 'completeConsent',
  tags: ['connections'],
  summary: 'Complete a consent (redirect target of the authorisation server)',
  description:
    'The authorisation server sends the merchant’s browser here; a backend does not call it. ' +
    'A worker exchanges the code for tokens and checks which account has consented. The page, or the `outcome` at the `return_url`, shows the result. ' +
    'If the exchange fails, an earlier consent stays in use, and the merchant needs a new link.',
  task: 'custody.md#connect-a-merchant',
  access: 'public',
  connection: 'state',
  request: {
    query: z.object({
      code: z.string().optional().meta({ description: 'The code that a worker exchanges for tokens.' }),
      state: z.string().optional().meta({ description: 'The sealed state that the link carried.' }),
      error: z.string().optional().meta({
        description: 'Why there is no code; `access_denied` if the person declined.',
      }),
    }),
  },
  answers: {
    200: page('The merchant has consented, and the connection is healthy.'),
    202: page('The merchant has consented. The account is not confirmed yet.'),
    303: { description: 'The browser goes to the `return_url`, if the link has one.' },
    400: page('The link is incomplete, or we did not issue it.'),
    403: page('The person declined the consent, or began in another browser.'),
    409: page('The consent is for a different account than the expected one.'),
    410: page('The link has expired, or was already used.'),
    500: page('The authorisation server refused our credentials or our request.'),
    502: page('The authorisation server is too busy, or did not answer clearly.'),
    503: page('Temporal or the worker did not answer in time.'),
  },
});

export const completeConsent = rawEndpoint(stated, (dependencies) => async (c) => {
  // A HEAD request would spend the code, although no person sees the page.
  if (c.req.method !== 'GET')
    throw new ApiError('method_not_allowed', 'This path does not support the method. Use GET.', {
      headers: { allow: 'GET' },
    });
  const { name, ticket } = await complete(c, dependencies);
  return leave(c, name, ticket);
});

interface Completion {
  name: PageName;
  /** Where to return to. Absent unless the right browser came back. */
  ticket?: Ticket;
}

/** Each parameter may occur once, because we could not choose between two values. */
const PARAMETERS = ['error', 'code', 'state'] as const;

async function complete(c: Context<Env>, dependencies: ApiDependencies): Promise<Completion> {
  const { sessionKeys, isSecure } = dependencies;
  if (PARAMETERS.some((name) => (c.req.queries(name)?.length ?? 0) > 1)) return { name: 'incomplete' };
  const error = c.req.query('error') ?? '';
  const [code, sealed] = [legible(c.req.query('code')), legible(c.req.query('state'))];
  const state = sealed === undefined ? undefined : openState(sessionKeys, sealed);
  const isSameBrowser = state !== undefined && browserOf(c, isSecure) === state.browser;
  if (error !== '') {
    const name = error === 'access_denied' ? 'declined' : 'refused';
    return isSameBrowser ? { name, ticket: state } : { name };
  }
  if (code === undefined || sealed === undefined) return { name: 'incomplete' };
  if (state === undefined) return { name: 'foreign' };
  if (!isSameBrowser) return { name: 'otherBrowser' };
  const name = await exchange(dependencies, state, code).catch(pageOfError);
  return { name, ticket: state };
}

async function exchange(
  dependencies: ApiDependencies,
  state: NonNullable<ReturnType<typeof openState>>,
  code: string,
): Promise<PageName> {
  const answer = await consentAnswer(dependencies, state, code);
  const { refused, isUnconfirmed } = await dependencies.temporal.connections.complete(
    state.connection,
    answer,
  );
  if (refused === undefined) return isUnconfirmed === true ? 'unconfirmed' : 'connected';
  return pageOf(refused);
}

/** Undefined if the value is empty or too long. */
const legible = (value = ''): string | undefined =>
  value !== '' && value.length <= LONGEST_SEALED ? value : undefined;
