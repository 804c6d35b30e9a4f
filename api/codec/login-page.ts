// The page on which an operator signs in to have payloads decoded. It loads nothing, and shows nothing that was sent.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { CodecSession } from './session.js';
import type { Env } from '../env.js';

/** Why a key was not taken, in words for whoever pasted it. */
export const REFUSED = {
  unauthenticated: { status: 401, text: 'That is not an API key that is known here.' },
  insufficient_scope: { status: 403, text: 'That key lacks the scope operate.' },
} as const;
export type Refused = keyof typeof REFUSED;

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color:#1b1b1f}' +
  'label{display:block;margin-bottom:.3rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}' +
  'button{font:inherit;margin-top:1rem;padding:.4rem 1.2rem}.refused{color:#b00020}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};

type Part = ReturnType<typeof html>;
type Page = Response | Promise<Response>;

const page = (c: Context<Env>, title: string, content: Part, status: 200 | 401 | 403 = 200): Page =>
  c.html(
    html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="referrer" content="same-origin" />
        <title>${title}</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`,
    status,
    HEADERS,
  ); // prettier-ignore

/** @param refused why what was pasted before was not taken. */
export function showLoginPage(c: Context<Env>, refused?: Refused): Page {
  const why = refused && REFUSED[refused];
  const form = html`
    <p>With an API key that may operate, Temporal’s UI shows in this browser for an hour what is sealed.</p>
    ${why && html`<p class="refused" role="alert">${why.text}</p>`}
    <form method="post" action="/codec/login">
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" required autofocus />
      <button>Sign in</button>
    </form>`; // prettier-ignore
  return page(c, 'Show sealed payloads', form, why?.status);
}

export function showSignedInPage(c: Context<Env>, { key, expiresAtMs }: CodecSession): Page {
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const content = html`
    <p>Signed in with the key <b>${key.id}</b>. Until ${until} Temporal’s UI shows payloads in this browser. Each use is logged.</p>
    <form method="post" action="/codec/logout"><button>Sign out</button></form>`; // prettier-ignore
  return page(c, 'Sealed payloads are shown', content);
}
