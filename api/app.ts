// The whole API on one page: what happens to every request, and every route there is.
// In:  api/main.ts, or a test, with its dependencies. Out: api/routes/*.ts.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Endpoint } from './contract.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env, Router } from './env.js';
import { ApiError, answerError, answerProblem } from './errors.js';
import { observe } from './observe.js';
import { beginConnection } from './routes/begin-connection.js';
import { checkLiveness, checkReadiness } from './routes/check-health.js';
import { commandAgreement } from './routes/command-agreement.js';
import { completeConsent } from './routes/complete-consent.js';
import { createAgreement } from './routes/create-agreement.js';
import { createBatch, identifyAgreements } from './routes/create-batch.js';
import {
  createClient,
  getClient,
  lookUpClient,
  resolveClientAttention,
  updateClient,
} from './routes/create-client.js';
import {
  changeCounterparty,
  createCounterparty,
  getCounterparty,
  resolveCounterpartyAttention,
} from './routes/create-counterparty.js';
import { decodeCodecPayloads } from './routes/decode-payloads.js';
import { getConnection } from './routes/get-connection.js';
import { getAgreement, getPayment, getRefund } from './routes/get-resource.js';
import { getTimeline } from './routes/get-timeline.js';
import { listPayments } from './routes/list-payments.js';
import {
  listAgreements,
  listAllPayments,
  listAllRefunds,
  listClients,
  listCounterparties,
  listOnboardings,
} from './routes/list-resources.js';
import { commandOnboarding } from './routes/command-onboarding.js';
import { getOnboarding, startOnboarding } from './routes/start-onboarding.js';
import { lookUpAgreement } from './routes/look-up-agreement.js';
import { lookUpPayment, lookUpRefund } from './routes/look-up-payment.js';
import { getBatch, listBatchRows, listBatches, steerBatch } from './routes/read-batch.js';
import { readDocument, readDocs, readDocsFile } from './routes/read-docs.js';
import { readMetrics } from './routes/read-metrics.js';
import { reauthoriseConnection } from './routes/reauthorise-connection.js';
import { receiveWebhook } from './routes/receive-webhook.js';
import { listRefunds, requestRefund } from './routes/request-refund.js';
import { requestPayment } from './routes/request-payment.js';
import { resolveAttention } from './routes/resolve-attention.js';
import { resolvePaymentAttention, resolveRefundAttention } from './routes/resolve-payment-attention.js';
import { retryPayment } from './routes/retry-payment.js';
import { revokeConnection } from './routes/revoke-connection.js';
import { beginCodecSession, endCodecSession, showCodecLogin } from './routes/sign-in-operator.js';
import { endPlan, getPlan, putPlan } from './routes/plan-payments.js';
import { getStop, liftStop, stopPayments } from './routes/stop-payments.js';
import { withdrawPayment } from './routes/withdraw-payment.js';
import { refuseInvalid } from './validation.js';

export const ENDPOINTS: readonly Endpoint[] = [
  ...[beginConnection, getConnection, reauthoriseConnection, revokeConnection, completeConsent],
  ...[createAgreement, listAgreements, getAgreement, getTimeline],
  ...[...commandAgreement, lookUpAgreement, resolveAttention],
  ...[requestPayment, listPayments, listAllPayments, getPayment, withdrawPayment, retryPayment],
  ...[putPlan, getPlan, endPlan],
  ...[lookUpPayment, resolvePaymentAttention],
  ...[requestRefund, listRefunds, listAllRefunds, getRefund, lookUpRefund, resolveRefundAttention],
  ...[createClient, listClients, getClient, updateClient, lookUpClient, resolveClientAttention],
  ...[startOnboarding, listOnboardings, getOnboarding, ...commandOnboarding],
  ...[createCounterparty, listCounterparties, getCounterparty],
  ...[...changeCounterparty, resolveCounterpartyAttention],
  ...[createBatch, identifyAgreements, listBatches, getBatch, listBatchRows, ...steerBatch],
  ...[getStop, stopPayments, liftStop],
  receiveWebhook,
  ...[decodeCodecPayloads, showCodecLogin, beginCodecSession, endCodecSession],
  ...[checkLiveness, checkReadiness, readMetrics],
  ...[readDocument(() => ENDPOINTS), readDocs, readDocsFile],
];

export function createApp(dependencies: ApiDependencies): Router {
  const { log } = dependencies;
  const app = new OpenAPIHono<Env>({ defaultHook: refuseInvalid });

  app.use(requestId());
  app.use(observe(dependencies));
  app.use(secureHeaders(), noStore);
  app.use(
    methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => answerProblem(c, wrongMethod(methods)) }),
  );
  app.onError(answerError(log));
  app.notFound((c) =>
    answerProblem(c, new ApiError('not_found', 'Expected a path that /openapi.json describes.')),
  );

  for (const { register } of ENDPOINTS) register(app, dependencies);
  return app;
}

/** Answers hold personal data, so no cache on the way may keep them but those that say so themselves. */
const noStore: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
});

const wrongMethod = (methods: readonly string[]): ApiError =>
  new ApiError('method_not_allowed', `Expected one of ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
