// In:  GET /openapi.json, and GET /docs from a person's browser. They describe the others and are not described themselves.
// Out: the document (api/document.ts), and Swagger UI over it from its package. Nothing comes from elsewhere.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Endpoint } from '../contract.js';
import { documentOf } from '../document.js';
import type { Router } from '../env.js';

const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of the package that the page needs; no others are served. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

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

// No validator badge: it would send the document to a server elsewhere.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null });\n`;

export function registerReadDocs(router: Router, endpoints: readonly Endpoint[]): void {
  router.get('/openapi.json', (c) => c.json(documentOf(endpoints)));
  router.get('/docs', (c) => c.html(PAGE, 200, HEADERS));
  router.get('/docs/start.js', (c) =>
    c.body(START, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  for (const [name, type] of Object.entries(ASSETS)) {
    router.get(`/docs/${name}`, async (c) => {
      const bytes = await readFile(join(FOLDER, name));
      return c.body(new Uint8Array(bytes), 200, { 'content-type': type, 'cache-control': 'max-age=3600' });
    });
  }
}
