// All routes, and the middleware that they share.
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AGREEMENT_ROUTES } from './agreements/routes.js';
import type { Registration } from './calls/operation.js';
import { AMENDMENT_ROUTES } from './amendments/routes.js';
import { CHECK_ROUTES } from './checks/validations.js';
import { CLIENT_ROUTES } from './clients/routes.js';
import type { Control } from './control/create.js';
import { registerControl } from './control/routes.js';
import { WEBHOOK_ROUTES } from './deliveries/routes.js';
import type { Engine } from './engine/parts.js';
import { FLOAT_ROUTES } from './float-accounts/routes.js';
import { Refusal, refuse } from './http/refusal.js';
import { refusalResponse, type Env } from './http/responses.js';
import { IDENTITY_ROUTES } from './identity/routes.js';
import { INVESTIGATION_ROUTES } from './investigations/routes.js';
import { OAUTH_ROUTES } from './oauth/token.js';
import { registerShowFrontPage } from './pages/front-page.js';
import { PAYER_ROUTES } from './payer/routes.js';
import { PAYMENT_ROUTES } from './payments/routes.js';
import { REFUND_ROUTES } from './refunds/routes.js';
import { REPORT_ROUTES } from './reports/routes.js';

const MAX_BODY_BYTES = 1024 * 1024;

const REGISTRATIONS: readonly Registration[] = [
  ...OAUTH_ROUTES,
  ...AGREEMENT_ROUTES,
  ...AMENDMENT_ROUTES,
  ...PAYER_ROUTES,
  ...PAYMENT_ROUTES,
  ...REFUND_ROUTES,
  ...CLIENT_ROUTES,
  ...CHECK_ROUTES,
  ...FLOAT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...IDENTITY_ROUTES,
  ...INVESTIGATION_ROUTES,
  ...REPORT_ROUTES,
  registerShowFrontPage,
];

export function createApp(engine: Engine, control: Control): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.header('x-request-id', randomUUID());
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw refuse(413, 'Payload Too Large', 'A body can have at most 1 MiB');
      },
    }),
  );
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  for (const register of REGISTRATIONS) register(app, engine);
  registerControl(app, control);
  app.notFound((c) => {
    const asked = `${c.req.method} ${c.req.path}`;
    // Recorded in the ledger so that calls to missing operations are visible.
    engine.ledger.append({ kind: 'call', operation: asked, status: 404, resource_uid: null, fault: null });
    return refusalResponse(c, refuse(404, 'Not Found', `There is no ${asked}`));
  });
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusalResponse(c, error);
    console.error('sandbox request failed (a bug in the sandbox):', error);
    return c.body(null, 500);
  });
  return app;
}
