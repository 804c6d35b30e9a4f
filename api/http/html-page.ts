// Small HTML pages for merchants who consent and operators who sign in. They show no request data and load nothing.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Env } from './env.js';

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color:#1b1b1f}' +
  'label{display:block;margin-bottom:.3rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}' +
  'button{font:inherit;margin-top:1rem;padding:.4rem 1.2rem}.refused{color:#b00020}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export type Part = ReturnType<typeof html>;
export type Page = Response | Promise<Response>;

interface PageParts {
  status: ContentfulStatusCode;
  title: string;
  content: Part;
  /** The allowed targets of the page's forms. `any` if the response redirects to the provider, because browsers check redirects too. */
  forms: 'none' | 'self' | 'any';
  /** Which sites receive the page's address as the referrer. */
  referrer: 'no-referrer' | 'same-origin';
  headers?: Record<string, string>;
}

export function showPage(
  c: Context<Env>,
  { status, title, content, forms, referrer, headers = {} }: PageParts,
): Page {
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ${forms === 'any' ? '' : `form-action '${forms}'; `}frame-ancestors 'none'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="referrer" content="${referrer}" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`;
  return c.html(page, status, { ...headers, 'content-security-policy': policy, 'cache-control': 'no-store' });
}
