// The page on which operators sign in to see decoded payloads. It loads nothing and shows no request data.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { CodecSession } from './session.js';
import type { Env } from '../../http/env.js';
import { showPage, type Page, type Part } from '../../http/html-page.js';

/** Why a key was refused, as shown to the operator. */
const REFUSED = {
  unauthenticated: { status: 401, text: 'This API key is unknown.' },
  insufficient_scope: { status: 403, text: 'This API key lacks the scope decode.' },
} as const;
export type Refused = keyof typeof REFUSED;

const page = (c: Context<Env>, title: string, content: Part, status: 200 | 401 | 403 = 200): Page =>
  showPage(c, { status, title, content, forms: 'self', referrer: 'same-origin' });

/** @param refused why the previous key was refused. */
export function showLoginPage(c: Context<Env>, refused?: Refused): Page {
  const why = refused && REFUSED[refused];
  const form = html` <p>
      Sign in with an API key that has the scope decode. Temporal’s UI then decodes payloads in this browser
      for one hour.
    </p>
    ${why && html`<p class="refused" role="alert">${why.text}</p>`}
    <form method="post" action="/codec/login">
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" required autofocus />
      <button>Sign in</button>
    </form>`;
  return page(c, 'Decode sealed payloads', form, why?.status);
}

export function showSignedInPage(c: Context<Env>, { key, expiresAtMs }: CodecSession): Page {
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const content = html` <p>
      Signed in with the key <b>${key.id}</b>. Temporal’s UI decodes payloads in this browser until ${until}.
      Each use is logged.
    </p>
    <form method="post" action="/codec/logout"><button>Sign out</button></form>`;
  return page(c, 'Payloads are decoded', content);
}
