// GET /: the sandbox at a glance, newest first.
import type { Engine } from '../engine.js';
import { frontPage } from './front-page.js';
import type { Router } from '../http/responses.js';

/** What the page may load and where it may talk to: itself alone. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function registerShowFrontPage(router: Router, engine: Engine): void {
  router.get('/', (c) => {
    engine.scheduler.catchUp();
    c.header('content-security-policy', POLICY);
    c.header('cache-control', 'no-store');
    return c.html(frontPage(engine));
  });
}
