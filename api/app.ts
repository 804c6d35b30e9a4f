// Builds the API: the middleware that handles every request, and the list of all endpoints.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { randomUUID } from 'node:crypto';
import { secureHeaders } from 'hono/secure-headers';
import type { ResourceName } from '../domain/resources.js';
import { consoleEndpoints } from './console/endpoints.js';
import type { BoundResource } from './http/connection-binding.js';
import { RECORDED_UNTIL, type Endpoint } from './http/contract.js';
import type { ApiDependencies } from './http/dependencies.js';
import type { Env, Router } from './http/env.js';
import { ApiError, answerError, answerProblem } from './http/problems/errors.js';
import { observe } from './http/observe.js';
import { requireOwnHost } from './http/own-host.js';
import { warnOfUntrustedProxy } from './http/untrusted-proxy.js';
import { refuseInvalid } from './http/problems/validation.js';
import { noteRefusedWebhooks } from './http/refused-webhooks.js';
import { AGREEMENT } from './routes/agreement/answer.schema.js';
import { agreementEndpoints } from './routes/agreement/endpoints.js';
import { listAuditEvents } from './routes/audit/list.js';
import { BATCH } from './routes/batch/answer.schema.js';
import { batchEndpoints } from './routes/batch/endpoints.js';
import { CLIENT } from './routes/client/answer.schema.js';
import { clientEndpoints } from './routes/client/endpoints.js';
import { decodeCodecPayloads } from './routes/codec/decode-payloads.js';
import { beginCodecSession, endCodecSession, showCodecLogin } from './routes/codec/sign-in.js';
import { connectionEndpoints } from './routes/connection/endpoints.js';
import { COUNTERPARTY } from './routes/counterparty/answer.schema.js';
import { counterpartyEndpoints } from './routes/counterparty/endpoints.js';
import { eventEndpoints } from './routes/event/endpoints.js';
import { FLOAT_ACCOUNT } from './routes/float-account/answer.schema.js';
import { floatAccountEndpoints } from './routes/float-account/endpoints.js';
import { notificationEndpoints } from './routes/notification/endpoints.js';
import { ONBOARDING } from './routes/onboarding/answer.schema.js';
import { onboardingEndpoints } from './routes/onboarding/endpoints.js';
import { checkLiveness, checkReadiness } from './routes/operations/check-health.js';
import { listDocs, readDocs, readDocsFile, readDocument } from './routes/operations/read-docs.js';
import { readMetrics } from './routes/operations/read-metrics.js';
import { PAYMENT } from './routes/payment/answer.schema.js';
import { paymentEndpoints } from './routes/payment/endpoints.js';
import { REFUND } from './routes/refund/answer.schema.js';
import { refundEndpoints } from './routes/refund/endpoints.js';
import { readJournal } from './routes/journal/endpoints.js';
import { reconcileDay } from './routes/settlement/endpoints.js';
import { readSettlementReport } from './routes/settlement/report.js';
import { compareExpected } from './routes/settlement/expected.js';
import { stopEndpoints } from './routes/stop/endpoints.js';
import { timelineOf } from './routes/timeline/get.js';
import { UNMATCHED_CREDIT } from './routes/unmatched-credit/answer.schema.js';
import { unmatchedCreditEndpoints } from './routes/unmatched-credit/endpoints.js';
import { receiveWebhook } from './routes/webhook/receive.js';
import { webhookEndpoints } from './routes/webhook-endpoint/endpoints.js';

/** In the order of the document. */
const TIMELINES: Readonly<Record<BoundResource, Endpoint>> = {
  'float-account': timelineOf(FLOAT_ACCOUNT),
  'unmatched-credit': timelineOf(UNMATCHED_CREDIT),
  agreement: timelineOf(AGREEMENT, 'getTimeline'),
  payment: timelineOf(PAYMENT),
  refund: timelineOf(REFUND),
  client: timelineOf(CLIENT),
  counterparty: timelineOf(COUNTERPARTY),
  onboarding: timelineOf(ONBOARDING),
  batch: timelineOf(BATCH),
};

/** In the order of the document, like the entries of each list. */
const OF_RESOURCES: Readonly<Record<ResourceName, readonly Endpoint[]>> = {
  connection: connectionEndpoints,
  agreement: agreementEndpoints,
  payment: paymentEndpoints,
  refund: refundEndpoints,
  client: clientEndpoints,
  onboarding: onboardingEndpoints,
  counterparty: counterpartyEndpoints,
  batch: batchEndpoints,
  'float-account': floatAccountEndpoints,
  'unmatched-credit': [
    ...unmatchedCreditEndpoints,
    reconcileDay,
    readSettlementReport,
    compareExpected,
    readJournal,
  ],
  notification: [...notificationEndpoints, ...Object.values(TIMELINES)],
  stop: stopEndpoints,
};
const ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(OF_RESOURCES).flat(),
  ...eventEndpoints,
  ...webhookEndpoints,
  receiveWebhook,
  listAuditEvents,
  checkLiveness,
];
const DOCS: readonly Endpoint[] = [readDocument(() => PUBLIC_ENDPOINTS), readDocs, readDocsFile, listDocs];

/** What the public port serves, and the OpenAPI document describes. */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = [...ENDPOINTS, ...DOCS];

/** What the admin port serves: for our own network only. */
export const ADMIN_ENDPOINTS: readonly Endpoint[] = [
  ...[checkReadiness, readMetrics],
  ...[decodeCodecPayloads, showCodecLogin, beginCodecSession, endCodecSession],
  ...consoleEndpoints(() => ENDPOINTS),
];

/** @param dependencies `hasDocs`: whether the documentation is served. `proxies`: how many in front of this port are trusted. */
export const createApp = ({
  hasDocs = true,
  proxies = 0,
  ...dependencies
}: ApiDependencies & { hasDocs?: boolean; proxies?: number }): Router =>
  appOf(
    hasDocs ? PUBLIC_ENDPOINTS : ENDPOINTS,
    dependencies,
    warnOfUntrustedProxy({ log: dependencies.log, proxies }),
  );

/** @param dependencies `hosts`: the names of this port besides loopback ones. */
export const createAdminApp = ({
  hosts = [],
  ...dependencies
}: ApiDependencies & { hosts?: readonly string[] }): Router =>
  appOf(ADMIN_ENDPOINTS, dependencies, requireOwnHost(hosts));

/** @param first runs before each route, within the log and the error handler. */
function appOf(
  endpoints: readonly Endpoint[],
  dependencies: ApiDependencies,
  first: MiddlewareHandler<Env>,
): Router {
  const { log } = dependencies;
  const app = new OpenAPIHono<Env>({ defaultHook: refuseInvalid });

  app.use(nameRequest);
  app.use(observe(dependencies));
  app.use(noteRefusedWebhooks(dependencies));
  app.use(secureHeaders(), noStore, progressHeader(dependencies));
  app.use(first);
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

/** Every answer to a read of a resource says how far the records are. */
const progressHeader = ({ progress }: Pick<ApiDependencies, 'progress'>): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const until = progress.recordedUntil();
    await next();
    if (c.req.method === 'GET' && c.req.path.startsWith('/v1/') && c.res.ok && until !== undefined)
      c.header(RECORDED_UNTIL, until);
  });

const wrongMethod = (methods: readonly string[]): ApiError =>
  new ApiError('method_not_allowed', `This path does not support the method. Use ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
