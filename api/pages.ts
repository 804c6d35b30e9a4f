// Small pages for the person who consents. They hold nothing that came with the request, and load nothing.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Env } from './env.js';

const PAGES = {
  connected: { status: 200, title: 'Connected', text: 'You can close this window.' },
  incomplete: {
    status: 400,
    title: 'Something is missing',
    text: 'This address is not complete. Open the link that you were given again.',
  },
  foreign: { status: 400, title: 'This link is not ours', text: 'Nothing was changed. Ask for a new link.' },
  refused: {
    status: 400,
    title: 'Not connected',
    text: 'The authorisation server did not let us in, so nothing was changed. Ask for a new link.',
  },
  ours: {
    status: 500,
    title: 'Not connected',
    text: 'Something is wrong on our side, so nothing was changed. Tell whoever gave you the link; once it is mended, ask for a new one.',
  },
  busy: {
    status: 502,
    title: 'Not connected yet',
    text: 'The authorisation server is too busy for us, so nothing was changed. Ask for a new link in a few minutes.',
  },
  unclear: {
    status: 502,
    title: 'Not connected by this link',
    text: 'The authorisation server gave us no clear answer. Whoever was connected before still is. This link may be used up on its side: ask for a new one, and consent again.',
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
    text: 'We could not finish in time, so you may or may not be connected. Reload this page in a minute. If it then says that the link was used, ask whoever gave you the link whether you are connected.',
  },
} as const;
export type PageName = keyof typeof PAGES;

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem;color:#1b1b1f}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The address holds a code, so it goes to nobody: no referrer, nothing cached, nothing loaded. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export function showPage(c: Context<Env>, name: PageName): Response | Promise<Response> {
  const { status, title, text } = PAGES[name];
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${text}</p>
      </body>
    </html>`; // prettier-ignore
  return c.html(body, status, { ...HEADERS, ...(status === 503 ? { 'retry-after': '5' } : {}) });
}
