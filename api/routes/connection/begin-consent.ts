import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import { markBrowser } from './browser.js';
import { pageOf, returnTo, showBeginning, showOutcome, type PageName } from './consent-pages.js';
import { LONGEST_SEALED, consentUrl, openTicket } from './oauth-state.js';
import { contract, page, pageOrProblem, rawEndpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { requireOwnPage } from '../../http/own-page.js';
import { ApiError } from '../../http/problems/errors.js';

const PATH = '/oauth/begin/{ticket}';
const ofTicket: Pick<
  Parameters<typeof contract>[0],
  'path' | 'tags' | 'access' | 'connection' | 'request' | 'problems'
> = {
  path: PATH,
  tags: ['connections'],
  access: 'public',
  connection: 'state',
  problems: [404],
  request: {
    params: z.object({
      ticket: z.string().meta({ description: 'The sealed link, as `authorize_url` has it.' }),
    }),
  },
};

const beginningPage = contract({
  ...ofTicket,
  method: 'get',
  operationId: 'showConsent',
  summary: 'Show the page at which a merchant begins to consent',
  description:
    'The merchant’s browser opens this page with the link in `authorize_url`; a backend does not call it. ' +
    'It changes nothing, because mail scanners and previews open links: the consent begins with the button of the page.',
  task: 'custody.md#connect-a-merchant',
  answers: {
    200: page('A page with a button that begins the consent.'),
    400: page('We did not issue this link.'),
  },
});

/** Changes nothing, because mail scanners and previews open links. */
export const showConsent = rawEndpoint(
  beginningPage,
  ({ sessionKeys }) =>
    (c) =>
      openTicket(sessionKeys, c.req.param('ticket') ?? '') === undefined
        ? showOutcome(c, 'foreign')
        : showBeginning(c),
  { longestParameter: LONGEST_SEALED },
);

const ticketUse = contract({
  ...ofTicket,
  method: 'post',
  operationId: 'beginConsent',
  summary: 'Begin a consent in this browser',
  description:
    'The button of the consent page sends this form; a backend does not call it. ' +
    'The first browser that presses the button can use the link. It gets a cookie, without which the consent cannot be completed, and is sent to the authorisation server. ' +
    'The same browser may repeat it.',
  task: 'custody.md#connect-a-merchant',
  answers: {
    303: {
      description:
        'The browser continues at the authorisation server, or to the `return_url` if the link has expired.',
    },
    400: page('We did not issue this link.'),
    403: pageOrProblem('The link was used in another browser. A problem if another site sent the form.'),
    410: page('The link has expired, or was replaced.'),
    503: page('Temporal or the worker did not answer in time.'),
  },
});

export const beginConsent = rawEndpoint(
  ticketUse,
  (dependencies) => async (c) => {
    const ticket = openTicket(dependencies.sessionKeys, c.req.param('ticket') ?? '');
    if (ticket === undefined) return showOutcome(c, 'foreign');
    const browser = markBrowser(c, dependencies.isSecure);
    const { round, expiresAt } = ticket;
    const refused = await useTicket(dependencies, ticket.connection, { round, expiresAt, browser });
    if (refused === undefined)
      return c.redirect(
        consentUrl(dependencies.sessionKeys, dependencies.authorisation, ticket, browser),
        303,
      );
    return leave(c, refused, ticket);
  },
  {
    longestParameter: LONGEST_SEALED,
    beforeAuthorisation: ({ isSecure }) => requireOwnPage(isSecure),
  },
);

async function useTicket(
  { temporal }: ApiDependencies,
  connection: string,
  use: { round: number; expiresAt: string; browser: string },
): Promise<PageName | undefined> {
  try {
    const { refused } = await temporal.connections.useTicket(connection, use);
    return refused === undefined ? undefined : pageOf(refused);
  } catch (error) {
    return pageOfError(error);
  }
}

/** The page for an outage, or for a connection that does not exist. @throws any other error. */
export function pageOfError(error: unknown): PageName {
  if (error instanceof ApiError) return error.code === 'not_found' ? 'foreign' : 'unavailable';
  throw error;
}

/** Shows the outcome, or returns to the caller's page. */
export function leave(
  c: Context<Env>,
  name: PageName,
  ticket: { connection: string; returnUrl?: string | undefined } | undefined,
): Response | Promise<Response> {
  const target = ticket && returnTo(name, ticket);
  return target === undefined ? showOutcome(c, name) : c.redirect(target, 303);
}
