// The frame of each page: head, navigation, notices, and the response with its policy.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiKey } from '../http/api-keys.js';
import type { Env } from '../http/env.js';
import { TokenField } from './parts.js';

/** No script at all, no inline style, nothing from other sites. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface Shell {
  title: string;
  content: Child;
  status?: ContentfulStatusCode;
  /** Absent on the sign-in page. */
  session?: { key: ApiKey; formToken: string };
}

const PLACES = [
  ['/console', 'Home'],
  ['/console/agreements', 'Agreements'],
  ['/console/payments', 'Payments'],
  ['/console/day', 'Day'],
  ['/console/unmatched-credits', 'Unmatched credits'],
  ['/console/float-accounts', 'Float accounts'],
  ['/console/search', 'Search'],
] as const;

/** Answers a page. */
export function showPage(
  c: Context<Env>,
  { title, content, status = 200, session }: Shell,
): Response | Promise<Response> {
  const page = (
    <html lang="en-AU">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title.endsWith('PayTo console') ? title : `${title} – PayTo console`}</title>
        <link rel="stylesheet" href="/console/style.css" />
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {session === undefined ? null : (
          <Header path={c.req.path} apiKey={session.key} formToken={session.formToken} />
        )}
        <main id="content">
          <h1>{title}</h1>
          {content}
        </main>
      </body>
    </html>
  );
  return c.html(html`<!doctype html>${page}`, status, {
    'content-security-policy': POLICY,
    // Without it, browsers would send our forms with the origin `null`.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
}

function Header({ path, apiKey, formToken }: { path: string; apiKey: ApiKey; formToken: string }) {
  return (
    <header>
      <nav aria-label="Console">
        <ul>
          {PLACES.map(([href, name]) => (
            <li>
              <a href={href} aria-current={path === href ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action="/console/sign-out" class="session">
        <TokenField formToken={formToken} />
        <span>
          Signed in with <b>{apiKey.id}</b>
        </span>
        <button class="quiet">Sign out</button>
      </form>
    </header>
  );
}
