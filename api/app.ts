// Builds the API: the middleware that handles every request, and the list of all endpoints.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { randomUUID } from 'node:crypto';
import { secureHeaders } from 'hono/secure-headers';
import type { Endpoint } from './http/contract.js';
import type { ApiDependencies } from './http/dependencies.js';
import type { Env, Router } from './http/env.js';
import { ApiError, answerError, answerProblem } from './http/problems/errors.js';
import { observe } from './http/observe.js';
import { refuseInvalid } from './http/problems/validation.js';
import { noteRefusedWebhooks } from './http/refused-webhooks.js';
import { commandAgreement } from './routes/agreement/command.js';
import { createAgreement } from './routes/agreement/create.js';
import { getAgreement } from './routes/agreement/get.js';
import { listAgreements } from './routes/agreement/list.js';
import { lookUpAgreement } from './routes/agreement/look-up.js';
import { endPlan, getPlan, putPlan } from './routes/agreement/plan.js';
import { resolveAttention } from './routes/agreement/resolve-attention.js';
import { createBatch, identifyAgreements } from './routes/batch/create.js';
import { getBatch, listBatchRows, listBatches, steerBatch } from './routes/batch/read.js';
import {
  createClient,
  getClient,
  lookUpClient,
  resolveClientAttention,
  updateClient,
} from './routes/client/endpoints.js';
import { listClients } from './routes/client/list.js';
import { decodeCodecPayloads } from './routes/codec/decode-payloads.js';
import {
  acknowledgeFloatChain,
  getFloatAccount,
  listFloatAccounts,
} from './routes/float-account/endpoints.js';
import { getFloatStatement, listFloatEntries } from './routes/float-account/entries.js';
import { acknowledgeNotifications } from './routes/notification/acknowledge-all.js';
import {
  acknowledgeNotification,
  getNotification,
  listNotifications,
} from './routes/notification/endpoints.js';
import { reconcileDay } from './routes/settlement/endpoints.js';
import {
  getUnmatchedCredit,
  listUnmatchedCredits,
  resolveUnmatchedCredit,
} from './routes/unmatched-credit/endpoints.js';
import { beginCodecSession, endCodecSession, showCodecLogin } from './routes/codec/sign-in.js';
import { beginConsent, showConsent } from './routes/connection/begin-consent.js';
import { completeConsent } from './routes/connection/complete-consent.js';
import { confirmConnection } from './routes/connection/confirm.js';
import { createConnection } from './routes/connection/create.js';
import { getConnection } from './routes/connection/get.js';
import { listConnections } from './routes/connection/list.js';
import { reauthoriseConnection } from './routes/connection/reauthorise.js';
import { revokeConnection } from './routes/connection/revoke.js';
import {
  changeCounterparty,
  createCounterparty,
  getCounterparty,
  resolveCounterpartyAttention,
} from './routes/counterparty/endpoints.js';
import { listCounterparties } from './routes/counterparty/list.js';
import { commandOnboarding } from './routes/onboarding/command.js';
import { listOnboardings } from './routes/onboarding/list.js';
import { getOnboarding, startOnboarding } from './routes/onboarding/start.js';
import { checkLiveness, checkReadiness } from './routes/operations/check-health.js';
import { readDocs, readDocsFile, readDocument } from './routes/operations/read-docs.js';
import { readMetrics } from './routes/operations/read-metrics.js';
import { getPayment } from './routes/payment/get.js';
import { listPayments } from './routes/payment/list-of-agreement.js';
import { listAllPayments } from './routes/payment/list.js';
import { summarisePayments } from './routes/payment/summary.js';
import { lookUpPayment } from './routes/payment/look-up.js';
import { requestPayment } from './routes/payment/request.js';
import { resolvePaymentAttention } from './routes/payment/resolve-attention.js';
import { retryPayment } from './routes/payment/retry.js';
import { withdrawPayment } from './routes/payment/withdraw.js';
import { getRefund } from './routes/refund/get.js';
import { listRefunds } from './routes/refund/list-of-payment.js';
import { listAllRefunds } from './routes/refund/list.js';
import { lookUpRefund } from './routes/refund/look-up.js';
import { requestRefund } from './routes/refund/request.js';
import { resolveRefundAttention } from './routes/refund/resolve-attention.js';
import { listAuditEvents } from './routes/audit/list.js';
import { getStop, getStopTimeline, resumePayments, stopPayments } from './routes/stop/endpoints.js';
import { getTimelines } from './routes/timeline/get.js';
import { receiveWebhook } from './routes/webhook/receive.js';

const ENDPOINTS: readonly Endpoint[] = [
  ...[createConnection, listConnections, getConnection, reauthoriseConnection],
  ...[confirmConnection, revokeConnection, showConsent, beginConsent, completeConsent],
  ...[createAgreement, listAgreements, getAgreement],
  ...[...commandAgreement, lookUpAgreement, resolveAttention],
  ...[
    requestPayment,
    listPayments,
    listAllPayments,
    summarisePayments,
    getPayment,
    withdrawPayment,
    retryPayment,
  ],
  ...[putPlan, getPlan, endPlan],
  ...[lookUpPayment, resolvePaymentAttention],
  ...[requestRefund, listRefunds, listAllRefunds, getRefund, lookUpRefund, resolveRefundAttention],
  ...[createClient, listClients, getClient, updateClient, lookUpClient, resolveClientAttention],
  ...[startOnboarding, listOnboardings, getOnboarding, ...commandOnboarding],
  ...[createCounterparty, listCounterparties, getCounterparty],
  ...[...changeCounterparty, resolveCounterpartyAttention],
  ...[createBatch, identifyAgreements, listBatches, getBatch, listBatchRows, ...steerBatch],
  ...[listFloatAccounts, getFloatAccount, listFloatEntries, getFloatStatement, acknowledgeFloatChain],
  ...[listUnmatchedCredits, getUnmatchedCredit, resolveUnmatchedCredit, reconcileDay],
  ...[listNotifications, getNotification, acknowledgeNotification, acknowledgeNotifications],
  ...getTimelines,
  ...[getStop, getStopTimeline, stopPayments, resumePayments],
  receiveWebhook,
  listAuditEvents,
  checkLiveness,
];
const DOCS: readonly Endpoint[] = [readDocument(() => PUBLIC_ENDPOINTS), readDocs, readDocsFile];

/** What the public port serves, and the OpenAPI document describes. */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = [...ENDPOINTS, ...DOCS];

/** What the admin port serves: for our own network only. */
export const ADMIN_ENDPOINTS: readonly Endpoint[] = [
  ...[checkReadiness, readMetrics],
  ...[decodeCodecPayloads, showCodecLogin, beginCodecSession, endCodecSession],
];

/** @param dependencies `hasDocs`: whether the documentation is served. */
export const createApp = ({
  hasDocs = true,
  ...dependencies
}: ApiDependencies & { hasDocs?: boolean }): Router =>
  appOf(hasDocs ? PUBLIC_ENDPOINTS : ENDPOINTS, dependencies);

export const createAdminApp = (dependencies: ApiDependencies): Router => appOf(ADMIN_ENDPOINTS, dependencies);

function appOf(endpoints: readonly Endpoint[], dependencies: ApiDependencies): Router {
  const { log } = dependencies;
  const app = new OpenAPIHono<Env>({ defaultHook: refuseInvalid });

  app.use(nameRequest);
  app.use(observe(dependencies));
  app.use(noteRefusedWebhooks(dependencies));
  app.use(secureHeaders(), noStore);
  app.use(
    methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => answerProblem(c, wrongMethod(methods)) }),
  );
  app.onError(answerError(log));
  app.notFound((c) =>
    answerProblem(c, new ApiError('not_found', 'Unknown path. See the API’s documentation for all paths.')),
  );

  for (const { register } of endpoints) register(app, dependencies);
  return app;
}

/** Callers cannot choose the id, because it reaches our logs. */
const nameRequest: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  const id = randomUUID();
  c.set('requestId', id);
  c.header('x-request-id', id);
  await next();
});

/** Responses contain personal data, so caches must not store them unless a route sets its own `cache-control`. */
const noStore: MiddlewareHandler<Env> = createMiddleware<Env>(async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
});

const wrongMethod = (methods: readonly string[]): ApiError =>
  new ApiError('method_not_allowed', `This path does not support the method. Use ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
