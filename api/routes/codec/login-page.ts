// The page on which an operator signs in to have payloads decoded. It loads nothing, and shows nothing that was sent.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { CodecSession } from './session.js';
import type { Env } from '../../http/env.js';
import { showPage } from '../../http/html-page.js';
import type { Page, Part } from '../../http/html-page.js';

/** Why a key was not taken, as shown to the operator. */
export const REFUSED = {
  unauthenticated: { status: 401, text: 'That is not an API key that is known here.' },
  insufficient_scope: { status: 403, text: 'That key lacks the scope operate.' },
} as const;
export type Refused = keyof typeof REFUSED;

const page = (c: Context<Env>, title: string, content: Part, status: 200 | 401 | 403 = 200): Page =>
  showPage(c, { status, title, content, forms: 'self', referrer: 'same-origin' });

/** @param refused why what was pasted before was not taken. */
export function showLoginPage(c: Context<Env>, refused?: Refused): Page {
  const why = refused && REFUSED[refused];
  const form = html` <p>
      With an API key that may operate, Temporal’s UI shows in this browser for an hour what is sealed.
    </p>
    ${why && html`<p class="refused" role="alert">${why.text}</p>`}
    <form method="post" action="/codec/login">
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" required autofocus />
      <button>Sign in</button>
    </form>`;
  return page(c, 'Show sealed payloads', form, why?.status);
}

export function showSignedInPage(c: Context<Env>, { key, expiresAtMs }: CodecSession): Page {
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const content = html` <p>
      Signed in with the key <b>${key.id}</b>. Until ${until} Temporal’s UI shows payloads in this browser.
      Each use is logged.
    </p>
    <form method="post" action="/codec/logout"><button>Sign out</button></form>`;
  return page(c, 'Sealed payloads are shown', content);
}
