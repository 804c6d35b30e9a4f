// All routes on one page, and what holds for every one of them.
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Control } from './control/control.js';
import { registerControl } from './control/routes.js';
import type { Engine } from './engine.js';
import { Refusal, refuse } from './refusal.js';
import { refusalResponse, type Env, type Router } from './responses.js';
import { registerCreateAgreement } from './routes/create-agreement.js';
import { registerCreatePayment } from './routes/create-payment.js';
import { registerDecideConsent } from './routes/decide-consent.js';
import { registerGetAgreement } from './routes/get-agreement.js';
import { registerGetPayment } from './routes/get-payment.js';
import { registerIssueToken } from './routes/issue-token.js';
import { registerListAgreements } from './routes/list-agreements.js';
import { registerReadAgreementHistory } from './routes/read-agreement-history.js';
import { registerShowConsent } from './routes/show-consent.js';
import { registerShowFrontPage } from './routes/show-front-page.js';

const MAX_BODY_BYTES = 1024 * 1024;

const REGISTRATIONS: readonly ((router: Router, engine: Engine) => void)[] = [
  registerShowConsent,
  registerDecideConsent,
  registerIssueToken,
  registerCreateAgreement,
  registerListAgreements,
  registerGetAgreement,
  registerReadAgreementHistory,
  registerCreatePayment,
  registerGetPayment,
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
        throw refuse(413, 'Payload Too Large', 'A body may have 1 MiB');
      },
    }),
  );
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  for (const register of REGISTRATIONS) register(app, engine);
  registerControl(app, control);
  app.notFound((c) => {
    const asked = `${c.req.method} ${c.req.path}`;
    // In the ledger as it was asked: so a call to what is not built here is seen.
    engine.ledger.append({ kind: 'call', operation: asked, status: 404, resource_uid: null, fault: null });
    return refusalResponse(c, refuse(404, 'Not Found', `There is no ${asked}`));
  });
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusalResponse(c, error);
    console.error('sandbox failed to answer; this is a fault of the sandbox itself:', error);
    return c.body(null, 500);
  });
  return app;
}
