import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { contract, json, page, rawEndpoint } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
import { documentOf } from './document.js';
import { found } from '../../http/problems/errors.js';

const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the page needs. We serve no other files of the package. */
const ASSETS: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

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
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// The validator badge would send the document to an external server.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null });\n`;

const document = contract({
  method: 'get',
  path: '/openapi.json',
  operationId: 'readDocument',
  tags: ['operations'],
  summary: 'Get this OpenAPI document',
  access: 'public',
  connection: 'none',
  answers: { 200: json('The OpenAPI 3.1 document.', z.object({ openapi: z.string() })) },
});

/** @param endpoints all endpoints, including this one. */
export const readDocument = (endpoints: () => readonly Endpoint[]): Endpoint =>
  rawEndpoint(document, () => (c) => c.json(documentOf(endpoints())));

const docs = contract({
  method: 'get',
  path: '/docs',
  operationId: 'readDocs',
  tags: ['operations'],
  summary: 'Show the API documentation',
  access: 'public',
  connection: 'none',
  answers: { 200: page('The Swagger UI page.') },
});

export const readDocs = rawEndpoint(docs, () => (c) => c.html(PAGE, 200, HEADERS));

const file = contract({
  method: 'get',
  path: '/docs/{file}',
  operationId: 'readDocsFile',
  tags: ['operations'],
  summary: 'Get a file of the documentation page',
  access: 'public',
  connection: 'none',
  request: { params: z.object({ file: z.string() }) },
  answers: { 200: { description: 'The file.', content: { 'application/octet-stream': {} } } },
  problems: [404],
});

export const readDocsFile = rawEndpoint(file, () => async (c) => {
  const name = c.req.param('file') ?? '';
  if (name === 'start.js') return c.body(START, 200, { 'content-type': 'text/javascript; charset=utf-8' });
  const type = found(ASSETS.get(name), 'a file of this page');
  const bytes = await readFile(join(FOLDER, name));
  return c.body(new Uint8Array(bytes), 200, { 'content-type': type, 'cache-control': 'max-age=3600' });
});
