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
  summary: 'Complete a consent (redirect target of the authorisation server)',
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
    202: page('Consent received. The account is not confirmed yet.'),
    400: page('The link is incomplete, or we did not issue it.'),
    403: page('The person declined the consent.'),
    409: page('The consent is for a different account than the connected one.'),
    410: page('The link has expired, or was already used.'),
    500: page('The authorisation server refused our credentials or our request.'),
    502: page('The authorisation server is too busy, or did not answer clearly.'),
    503: page('Temporal or the worker did not answer in time.'),
  },
});

/** The pages. They contain no request data. */
const PAGES = {
  connected: { status: 200, title: 'Connected', text: 'You can close this window.' },
  unconfirmed: {
    status: 202,
    title: 'Consent received, account not yet confirmed',
    text: 'We are still checking which account you consented for. Nothing changes until we know. You can close this window.',
  },
  incomplete: {
    status: 400,
    title: 'This link is incomplete',
    text: 'Part of the address is missing. Open the original link again.',
  },
  foreign: { status: 400, title: 'This link is not valid', text: 'Nothing was changed. Ask for a new link.' },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The authorisation server refused this consent, so nothing was changed. Ask for a new link.',
  },
  otherAccount: {
    status: 409,
    title: 'Not connected: this is a different account',
    text: 'You consented for a different account than the connected one, so nothing was changed. Ask for a new link and consent for the right account. If your account has changed, tell the person who sent you the link.',
  },
  ours: {
    status: 500,
    title: 'Not connected',
    text: 'Something is wrong on our side, so nothing was changed. Tell the person who sent you the link, and ask for a new one once the problem is fixed.',
  },
  busy: {
    status: 502,
    title: 'Not connected yet',
    text: 'The authorisation server is too busy, so nothing was changed. Ask for a new link in a few minutes.',
  },
  unclear: {
    status: 502,
    title: 'This link did not connect you',
    text: 'The authorisation server did not answer clearly. An earlier connection still works. This link may no longer work: ask for a new one, and consent again.',
  },
  declined: {
    status: 403,
    title: 'Not connected',
    text: 'You did not consent, so nothing was changed. You can close this window.',
  },
  expired: { status: 410, title: 'This link has expired', text: 'Nothing was changed. Ask for a new link.' },
  used: {
    status: 410,
    title: 'This link was already used or replaced',
    text: 'Nothing was changed. If you are not connected yet, ask for a new link.',
  },
  unavailable: {
    status: 503,
    title: 'The result is not known yet',
    text: 'We could not finish in time, so you may or may not be connected. Reload this page in a minute. If it then shows that the link was already used, ask the person who sent it whether you are connected.',
  },
} as const;
type PageName = keyof typeof PAGES;

/** The page for each refusal. */
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

/** Each parameter may occur once, because we could not choose between two values. */
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

/** Undefined if the value is empty or too long. */
const legible = (value = ''): string | undefined =>
  value !== '' && value.length <= MAX_LENGTH ? value : undefined;
const MAX_LENGTH = 4096;

/** The address contains a code, so the browser must not send it as a referrer. */
function show(c: Context<Env>, name: PageName): Page {
  const { status, title, text } = PAGES[name];
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '5' } : {};
  const content = html`<p>${text}</p>`;
  return showPage(c, { status, title, content, forms: 'none', referrer: 'no-referrer', headers });
}
