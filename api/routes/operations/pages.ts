// The pages of docs/, which the API serves as Markdown for tools and as HTML for people, and the list of them in /llms.txt.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html, raw } from 'hono/html';
import { Marked } from 'marked';
import { PAGE_STYLE } from './docs-style.js';

/** `client` is the README of the client for TypeScript. */
const GROUPS = {
  'Build on the API': ['agreement', 'payments', 'onboarding', 'events', 'float', 'journal', 'client'],
  'Run the product': ['configuration', 'deployment', 'operating', 'custody', 'records'],
  'Understand it': ['architecture', 'provider'],
} as const;
type PageName = (typeof GROUPS)[keyof typeof GROUPS][number];
export const PAGE_NAMES: readonly PageName[] = Object.values(GROUPS).flat();

const ROOT = new URL('../../../', import.meta.url);
const pathOf = (name: PageName): string => (name === 'client' ? 'client/README.md' : `docs/${name}.md`);
const NAMES: ReadonlyMap<string, PageName> = new Map(PAGE_NAMES.map((name) => [pathOf(name), name]));

export const PAGE_POLICY = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

const readPage = (name: PageName): Promise<string> =>
  readFile(fileURLToPath(new URL(pathOf(name), ROOT)), 'utf8');

const LINK = /\[(?<text>[^\][]*)\]\((?<target>[^)\s]+)\)/g;

/** Leads links to the address of the other page. A link to a file that the API does not serve becomes its text. */
function relinked(page: PageName, text: string, addressOf: (name: PageName) => string): string {
  return text.replaceAll(LINK, (link: string, words: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return link;
    const [path = '', anchor] = target.split('#');
    const other = NAMES.get(posix.join(posix.dirname(pathOf(page)), path));
    const hash = anchor === undefined ? '' : `#${anchor}`;
    return other === undefined ? words : `[${words}](${addressOf(other)}${hash})`;
  });
}

/** A page as Markdown. Its links lead to other pages of this API. */
export const markdownOf = async (page: PageName): Promise<string> =>
  relinked(page, await readPage(page), (name) => `/docs/${name}.md`);

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // A region that scrolls must be reachable by keyboard.
    code({ text, lang, escaped }) {
      // A browser would need a large script to draw it; GitHub draws it.
      if (lang === 'mermaid')
        return '<p>The repository draws a diagram here. The tables have the same facts.</p>\n';
      return `<pre tabindex="0"><code>${escaped === true ? text : escapeHtml(text)}</code></pre>\n`;
    },
    table(token) {
      const cells = (row: typeof token.header) => row.map((cell) => this.tablecell(cell)).join('');
      const rows = token.rows.map((row) => this.tablerow({ text: cells(row) })).join('');
      return `<div class="wide" tabindex="0"><table><thead>${this.tablerow({ text: cells(token.header) })}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
  },
});

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** As GitHub names the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** A page as HTML, with links to the others. */
export async function htmlOf(page: PageName): Promise<string> {
  const text = relinked(page, await readPage(page), (name) => `/docs/${name}`);
  const titles = new Map(
    await Promise.all(PAGE_NAMES.map(async (name) => [name, titleOf(await readPage(name))] as const)),
  );
  const entry = (name: PageName) =>
    html`<li>
      <a href="/docs/${name}" ${raw(name === page ? 'aria-current="page"' : '')}>${titles.get(name)}</a>
    </li>`;
  const groups = Object.entries(GROUPS).map(
    ([group, names]) =>
      html`<h2>${group}</h2>
        <ul>
          ${names.map(entry)}
        </ul>`,
  );
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${titles.get(page)} – PayTo agreements</title>
          <link rel="icon" href="data:," />
          <link rel="alternate" type="text/markdown" href="/docs/${page}.md" />
          ${raw(`<style>${PAGE_STYLE}</style>`)}
        </head>
        <body>
          <a class="jump" href="#pages">All pages</a>
          <nav id="pages" aria-label="Pages">
            <p><a href="/docs">API reference</a></p>
            ${groups}
          </nav>
          <main>${raw(await marked.parse(text))}</main>
        </body>
      </html>`,
  );
}

const titleOf = (text: string): string => /^# (?<title>.+)$/m.exec(text)?.groups?.['title'] ?? '';

/** The first sentence of a page, without Markdown's marks of links. */
function summaryOf(text: string): string {
  const paragraph = text.split(/\n\n+/).find((part) => /^[\w`*[]/.test(part)) ?? '';
  const plain = paragraph.replaceAll(LINK, '$<text>').replaceAll(/\s+/g, ' ').replaceAll('**', '');
  return /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain.replace(/:$/, '.');
}

/** What a language model needs to find its way (llmstxt.org). */
export async function llmsText(): Promise<string> {
  const lines = Object.entries(GROUPS).map(async ([group, names]) => {
    const entries = names.map(async (name) => {
      const text = await readPage(name);
      return `- [${titleOf(text)}](/docs/${name}.md): ${summaryOf(text)}`;
    });
    return [`## ${group}`, '', ...(await Promise.all(entries)), ''].join('\n');
  });
  return [
    '# PayTo agreements',
    '',
    '> An HTTP API for PayTo, Australia’s scheme for account-to-account mandates: it creates agreements, takes payments under them, and follows both for years. No payment is made twice, and no event from the provider is lost.',
    '',
    'Authenticate with `authorization: Bearer <key>`. Repeats with the same uid or `Idempotency-Key` create and pay nothing twice. Errors are `application/problem+json` with a stable `code`. Outcomes come later: wait with `?wait=seconds`, read the resource again, or follow events.',
    '',
    '## Reference',
    '',
    '- [OpenAPI 3.1 document](/openapi.json): every operation with its purpose, effect, permission and answers.',
    '',
    ...(await Promise.all(lines)),
  ].join('\n');
}
