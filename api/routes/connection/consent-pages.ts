// The pages that a merchant sees before and after a consent. They contain no request data.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../../http/env.js';
import { showPage, type Page } from '../../http/html-page.js';

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
  otherBrowser: {
    status: 403,
    title: 'Not connected: another browser',
    text: 'The consent was started in another browser, or more than ten minutes ago, so nothing was changed. Open the original link again in this browser, or ask for a new one.',
  },
  startedElsewhere: {
    status: 403,
    title: 'This link was opened in another browser',
    text: 'Nothing was changed. Continue in the browser in which you opened the link first. If it was not you, tell the person who sent you the link, and ask for a new one.',
  },
  otherAccount: {
    status: 409,
    title: 'Not connected: this is a different account',
    text: 'You consented for a different account than the expected one, so nothing was changed. Ask for a new link and consent for the right account. If your account has changed, tell the person who sent you the link.',
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
export type PageName = keyof typeof PAGES;

/** The page for each refusal of the connection. */
const REFUSALS: Readonly<Record<string, PageName>> = {
  consent_round_unknown: 'used',
  consent_round_expired: 'expired',
  consent_begun_elsewhere: 'startedElsewhere',
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
export const pageOf = (refusal: string): PageName => REFUSALS[refusal] ?? 'unclear';

/** The address contains a code or a ticket, so the browser must not send it as a referrer. */
export function showOutcome(c: Context<Env>, name: PageName): Page {
  const { status, title, text } = PAGES[name];
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '5' } : {};
  const content = html`<p>${text}</p>`;
  return showPage(c, { status, title, content, forms: 'none', referrer: 'no-referrer', headers });
}

/** A button, because mail scanners and previews open links. The form posts to the page's own address. */
export const showBeginning = (c: Context<Env>): Page =>
  showPage(c, {
    status: 200,
    title: 'Connect your account',
    content: html`<p>
        On the next page, your payment provider asks you to sign in and to allow access. Stay in this browser
        until you see that you are connected.
      </p>
      <form method="post"><button>Continue</button></form>`,
    forms: 'any',
    referrer: 'same-origin',
  });

/** What a return URL reports. Other pages are shown, because the person can still do something there. */
const OUTCOMES: Readonly<Partial<Record<PageName, string>>> = {
  connected: 'connected',
  unconfirmed: 'unconfirmed',
  declined: 'declined',
  refused: 'failed',
  otherAccount: 'failed',
  ours: 'failed',
  busy: 'failed',
  unclear: 'failed',
  expired: 'failed',
};

/** The return URL with the outcome. Undefined if the page is shown. */
export function returnTo(
  name: PageName,
  { connection, returnUrl }: { connection: string; returnUrl?: string | undefined },
): string | undefined {
  const outcome = OUTCOMES[name];
  if (returnUrl === undefined || outcome === undefined) return undefined;
  const target = new URL(returnUrl);
  target.searchParams.set('connection', connection);
  target.searchParams.set('outcome', outcome);
  return target.href;
}
