import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { consentAnswer, openState } from './oauth-state.js';
import { contract, page, rawEndpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { ApiError } from '../../http/problems/errors.js';
import { showPage } from '../../http/html-page.js';
import type { Page } from '../../http/html-page.js';

const stated = contract({
  method: 'get',
  path: '/oauth/callback',
  operationId: 'completeConsent',
  tags: ['connections'],
  summary: 'Where the authorisation server sends a person back to',
  access: 'public',
  connection: 'state',
  request: {
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().optional(),
    }),
  },
  answers: {
    200: page('Connected.'),
    202: page('Consent received; its account is not confirmed yet.'),
    400: page('Something is missing, or the link is not one of ours.'),
    403: page('The person did not consent.'),
    409: page('Another account has consented than the one that is connected.'),
    410: page('The link is too old, or was used.'),
    500: page('The authorisation server refuses our own credentials or request.'),
    502: page('The authorisation server is too busy, or gave no clear answer.'),
    503: page('Temporal or the worker is not answering.'),
  },
});

/** What the person is shown: nothing that came with the request. */
const PAGES = {
  connected: { status: 200, title: 'Connected', text: 'You can close this window.' },
  unconfirmed: {
    status: 202,
    title: 'Consent received, account not confirmed yet',
    text: 'We are still checking which account you consented for, and nothing is changed until we know. You can close this window.',
  },
  incomplete: {
    status: 400,
    title: 'Something is missing',
    text: 'This address is not complete. Open the link that you were given again.',
  },
  foreign: { status: 400, title: 'This link is not ours', text: 'Nothing was changed. Ask for a new link.' },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The authorisation server refused this consent, so nothing was changed. Ask for a new link.',
  },
  otherAccount: {
    status: 409,
    title: 'Not connected: this is another account',
    text: 'You consented for another account than the one that is connected here, so nothing was changed. Ask for a new link and consent for the right account; or tell the person who gave you the link that your account is another one now.',
  },
  ours: {
    status: 500,
    title: 'Not connected',
    text: 'Something is wrong on our side, so nothing was changed. Tell the person who gave you the link; once it is mended, ask for a new one.',
  },
  busy: {
    status: 502,
    title: 'Not connected yet',
    text: 'The authorisation server is too busy for us, so nothing was changed. Ask for a new link in a few minutes.',
  },
  unclear: {
    status: 502,
    title: 'Not connected by this link',
    text: 'The authorisation server gave us no clear answer. An earlier connection still stands. This link may be used up on its side: ask for a new one, and consent again.',
  },
  declined: {
    status: 403,
    title: 'Not connected',
    text: 'You did not consent, so nothing was changed. You can close this window.',
  },
  expired: { status: 410, title: 'This link is too old', text: 'Nothing was changed. Ask for a new link.' },
  used: {
    status: 410,
    title: 'This link was used, or there is a newer one',
    text: 'Nothing was changed. Ask for a new link if you are not connected yet.',
  },
  unavailable: {
    status: 503,
    title: 'We do not know yet',
    text: 'We could not finish in time, so you may or may not be connected. Reload this page in a minute. If it then says that the link was used, ask the person who gave you the link whether you are connected.',
  },
} as const;
type PageName = keyof typeof PAGES;

/** Why the connection did not come about, and what the person is shown for each. */
const REFUSALS: Readonly<Record<string, PageName>> = {
  consent_round_unknown: 'used',
  consent_round_expired: 'expired',
  code_refused: 'refused',
  other_account: 'otherAccount',
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
  return show(c, outcome);
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
  const { refused, isUnconfirmed } = await temporal.connections.complete(state.connection, answer);
  if (refused === undefined) return isUnconfirmed === true ? 'unconfirmed' : 'connected';
  return REFUSALS[refused] ?? 'unclear';
}

/** Not empty, and not overlong. */
const legible = (value = ''): string | undefined =>
  value !== '' && value.length <= MAX_LENGTH ? value : undefined;
const MAX_LENGTH = 4096;

/** The address carries a code, so the browser names it to no site at all. */
function show(c: Context<Env>, name: PageName): Page {
  const { status, title, text } = PAGES[name];
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '5' } : {};
  const content = html`<p>${text}</p>`;
  return showPage(c, { status, title, content, forms: 'none', referrer: 'no-referrer', headers });
}
