// In:  GET /openapi.json, and GET /docs from a person's browser. They describe the others and are not described themselves.
// Out: the document made from the routes' contracts, and Swagger UI over it from its package. Nothing comes from elsewhere.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CODEC_COOKIE } from '../codec/session.js';
import type { Router } from '../env.js';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'PayTo agreements',
    version: '1.0.0',
    description:
      'Durable PayTo agreements: start one, ask where it stands, take payments under it. Every POST may be repeated: ' +
      'the uid in the body, or the Idempotency-Key, makes it the same request. Problems are `application/problem+json`.',
  },
  tags: [
    { name: 'connections', description: 'The OAuth grants of merchants.' },
    { name: 'agreements', description: 'Mandates, each of which is one Temporal workflow.' },
    { name: 'payments', description: 'Payments under agreements: never two for one uid.' },
    { name: 'bridge', description: 'What the provider pushes.' },
    { name: 'operations', description: 'For operators.' },
  ],
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. Each operation names the scope that it needs in `x-scope`.',
  },
  codecSession: {
    type: 'apiKey',
    in: 'cookie',
    name: CODEC_COOKIE,
    description: 'Set by /codec/login, for an hour.',
  },
} as const;

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

export function registerReadDocs(router: Router): void {
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    router.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  router.get('/openapi.json', (c) => c.json(router.getOpenAPI31Document(DOCUMENT)));
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
