// The API's documentation: the OpenAPI document, and a page that shows it. `DOCS=off` removes both.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { contract, json, page, rawEndpoint, type Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { servedFile } from '../../http/served-file.js';
import { STYLE } from './docs-style.js';
import { documentOf } from './document.js';
import { PAGE_NAMES, PAGE_POLICY, htmlOf, llmsText, markdownOf } from './pages.js';

/** The build copies the file of the page, so that the package and its dependencies stay out of the release. */
const BUILT = fileURLToPath(new URL('../../../docs-page.js', import.meta.url));
const VIEWER = 'openapi-explorer/dist/browser/openapi-explorer.min.js';

const readViewer = (): Promise<Uint8Array> =>
  readFile(existsSync(BUILT) ? BUILT : createRequire(import.meta.url).resolve(VIEWER));

/** The viewer puts its styles into the page, and cannot work without `unsafe-inline` for them. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>PayTo agreements: API</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
    <script type="module" src="/docs/viewer.js"></script>
  </head>
  <body>
    <openapi-explorer spec-url="/openapi.json" hide-server-selection></openapi-explorer>
  </body>
</html>
`;

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const FILES: ReadonlyMap<string, ReturnType<typeof servedFile>> = new Map([
  ['viewer.js', servedFile({ type: SCRIPT, content: readViewer })],
  ...PAGE_NAMES.flatMap((name) => [
    [`${name}.md`, servedFile({ type: MARKDOWN, content: () => markdownOf(name) })] as const,
    [name, servedFile({ type: HTML, content: () => htmlOf(name), headers: PAGE_POLICY })] as const,
  ]),
]);

const document = contract({
  method: 'get',
  path: '/openapi.json',
  operationId: 'readDocument',
  tags: ['operations'],
  summary: 'Get this OpenAPI document',
  description: 'Describes every operation of the public port. Generate a client of your language from it.',
  access: 'public',
  connection: 'none',
  answers: { 200: json('The OpenAPI 3.1 document.', z.object({ openapi: z.string() })) },
});

/** @param endpoints all documented endpoints, including this one. */
export function readDocument(endpoints: () => readonly Endpoint[]): Endpoint {
  const content = (): string => JSON.stringify(documentOf(endpoints()));
  const file = servedFile({ type: 'application/json', content });
  return rawEndpoint(document, () => file);
}

const docs = contract({
  method: 'get',
  path: '/docs',
  operationId: 'readDocs',
  tags: ['operations'],
  summary: 'Show the API documentation',
  description: 'Shows this document in a browser, explains the first call, and lets you try operations out.',
  access: 'public',
  connection: 'none',
  answers: { 200: page('A page that shows this document.') },
});

export const readDocs = rawEndpoint(docs, () => (c) => c.html(PAGE, 200, HEADERS));

const file = contract({
  method: 'get',
  path: '/docs/{file}',
  operationId: 'readDocsFile',
  tags: ['operations'],
  summary: 'Get a page of the documentation',
  description:
    'Explains tasks step by step. `payments.md` is the page as Markdown, for tools, and `payments` the same page for a browser. `/llms.txt` lists all pages.',
  access: 'public',
  connection: 'none',
  request: { params: z.object({ file: z.string().meta({ example: 'payments.md' }) }) },
  answers: {
    200: {
      description: 'The page. Its type follows from its name.',
      content: { 'text/markdown': {}, 'text/html': {}, 'text/javascript': {} },
    },
  },
  problems: [404],
});

export const readDocsFile = rawEndpoint(
  file,
  () => (c) =>
    found(FILES.get(c.req.param('file') ?? ''), 'a page of the documentation; /llms.txt lists all')(c),
);

const index = contract({
  method: 'get',
  path: '/llms.txt',
  operationId: 'listDocs',
  tags: ['operations'],
  summary: 'List the pages of the documentation',
  description:
    'Lists the pages and the OpenAPI document with a sentence about each, in the form that language models read (llmstxt.org). Read the page of your task next.',
  access: 'public',
  connection: 'none',
  answers: { 200: { description: 'The list, as Markdown.', content: { 'text/plain': {} } } },
});

export const listDocs = rawEndpoint(index, () =>
  servedFile({ type: 'text/plain; charset=utf-8', content: llmsText }),
);
