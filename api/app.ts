// The whole API on one page: what happens to every request, and every route there is.
// In:  api/main.ts, or a test, with its dependencies. Out: api/routes/*.ts.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { authenticate } from './auth.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env, Router } from './env.js';
import { ApiError, answerError, answerProblem } from './errors.js';
import { observe } from './observe.js';
import { registerAmendAgreement } from './routes/amend-agreement.js';
import { registerBeginCodecSession } from './routes/begin-codec-session.js';
import { registerBeginConnection } from './routes/begin-connection.js';
import { registerCancelAgreement } from './routes/cancel-agreement.js';
import { registerCheckLiveness } from './routes/check-liveness.js';
import { registerCheckReadiness } from './routes/check-readiness.js';
import { registerCompleteConsent } from './routes/complete-consent.js';
import { registerCreateAgreement } from './routes/create-agreement.js';
import { registerDecodeCodecPayloads } from './routes/decode-codec-payloads.js';
import { registerEndCodecSession } from './routes/end-codec-session.js';
import { registerGetAgreement } from './routes/get-agreement.js';
import { registerGetConnection } from './routes/get-connection.js';
import { registerGetPayment } from './routes/get-payment.js';
import { registerGetTimeline } from './routes/get-timeline.js';
import { registerListAgreements } from './routes/list-agreements.js';
import { registerListPayments } from './routes/list-payments.js';
import { registerLookUpAgreement } from './routes/look-up-agreement.js';
import { registerReactivateAgreement } from './routes/reactivate-agreement.js';
import { registerReadDocs } from './routes/read-docs.js';
import { registerReadMetrics } from './routes/read-metrics.js';
import { registerReadOpenapi } from './routes/read-openapi.js';
import { registerReauthoriseConnection } from './routes/reauthorise-connection.js';
import { registerRecallAmendment } from './routes/recall-amendment.js';
import { registerReceiveWebhook } from './routes/receive-webhook.js';
import { registerRequestPayment } from './routes/request-payment.js';
import { registerResolveAttention } from './routes/resolve-attention.js';
import { registerRevokeConnection } from './routes/revoke-connection.js';
import { registerShowCodecLogin } from './routes/show-codec-login.js';
import { registerSuspendAgreement } from './routes/suspend-agreement.js';
import { refuseInvalid } from './validation.js';

export function createApp(dependencies: ApiDependencies): Router {
  const app = new OpenAPIHono<Env>({ defaultHook: refuseInvalid });

  app.use(requestId());
  app.use(observe(dependencies));
  app.use(secureHeaders());
  app.use(
    methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => answerProblem(c, wrongMethod(methods)) }),
  );
  app.onError(answerError(dependencies.log));
  app.notFound((c) =>
    answerProblem(c, new ApiError('not_found', 'Expected a path that /openapi.json describes.')),
  );
  app.use('/v1/*', authenticate(dependencies.keys), noStore);
  app.use('/codec/*', noStore);

  registerBeginConnection(app, dependencies);
  registerGetConnection(app, dependencies);
  registerReauthoriseConnection(app, dependencies);
  registerRevokeConnection(app, dependencies);
  registerCompleteConsent(app, dependencies);

  registerCreateAgreement(app, dependencies);
  registerListAgreements(app, dependencies);
  registerGetAgreement(app, dependencies);
  registerGetTimeline(app, dependencies);

  registerSuspendAgreement(app, dependencies);
  registerReactivateAgreement(app, dependencies);
  registerCancelAgreement(app, dependencies);
  registerAmendAgreement(app, dependencies);
  registerRecallAmendment(app, dependencies);
  registerLookUpAgreement(app, dependencies);
  registerResolveAttention(app, dependencies);

  registerRequestPayment(app, dependencies);
  registerListPayments(app, dependencies);
  registerGetPayment(app, dependencies);

  registerReceiveWebhook(app, dependencies);

  registerOperations(app, dependencies);
  return app;
}

/** For whoever runs this. */
function registerOperations(app: Router, dependencies: ApiDependencies): void {
  registerDecodeCodecPayloads(app, dependencies);
  registerShowCodecLogin(app, dependencies);
  registerBeginCodecSession(app, dependencies);
  registerEndCodecSession(app, dependencies);

  registerCheckLiveness(app);
  registerCheckReadiness(app, dependencies);
  registerReadMetrics(app, dependencies);
  registerReadOpenapi(app);
  registerReadDocs(app);
}

/** Answers hold personal data, so nobody on the way may keep them. */
const noStore: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
});

const wrongMethod = (methods: readonly string[]): ApiError =>
  new ApiError('method_not_allowed', `Expected one of ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
