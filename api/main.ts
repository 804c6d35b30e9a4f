// The API process: reads the configuration, starts the server, and shuts down gracefully. It stays up while Temporal is down.
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { highRiskOf } from '../domain/client/high-risk.schema.js';
import { missingScopes } from '../domain/needed-scopes.js';
import { createAuditLog } from '../records/audit.js';
import { openRecords } from '../records/database.js';
import { listen } from '../records/listen.js';
import { followProgress } from '../records/progress.js';
import { createReader } from '../records/read.js';
import { keysProblem } from '../records/keys.js';
import { schemaProblem } from '../records/schema-version.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { createLogger, stopOnUnforeseen, traceOf } from '../telemetry/logger.js';
import { createMetrics } from '../telemetry/metrics.js';
import { ConfigError, EXIT_CONFIG } from '../settings/read.js';
import { createAdminApp, createApp } from './app.js';
import { createFailedLogins } from './http/failed-logins.js';
import { createWebhookUrlCheck, resolveHost } from './webhook-urls.js';
import { keysOf, webhookVerifierOf } from './watched-secrets.js';
import { assertTokensApart, readConfig, type ApiConfig } from './config.js';
import type { ApiDependencies } from './http/dependencies.js';
import { createGateway } from './gateway/create.js';
import { openPort } from './port.js';
import { RETRIES_WITHIN_LIMITS } from './gateway/temporal/update-limiter.js';
import { createAuditor } from './http/audit.js';
import { createRateLimits } from './http/rate-limits.js';
import { keepKeysConfirmed } from './http/key-confirmation.js';
import { createLongAnswers } from './http/long-answers.js';
import { createWaitLimiter } from './http/wait-limiter.js';
import type { Clock } from './http/wait.js';

/** How long requests in flight may take at shutdown. Then we cut off the rest: delayed responses (`?wait=`), and webhooks without a response. */
const DRAIN_MS = 10_000;

/** How long a statement may take. A list may take longer than a row, and a caller waits for it. */
const RECORDS_MS = 2500;

const log = createLogger('api');
stopOnUnforeseen(log);

const stopping = new AbortController();
// Every webhook that waits for Temporal adds a listener.
setMaxListeners(0, stopping.signal);

const clock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/** Ends the process if the records have another schema, or data that our keys cannot open. While they are away, the API starts, as nothing waits for them. */
async function checkRecords({ RECORDS_URL, ENCRYPTION_KEYS: keyring }: ApiConfig): Promise<void> {
  const { db, close } = openRecords(RECORDS_URL);
  try {
    const problem = await schemaProblem(db);
    if (problem !== undefined) stopWith([problem], 1);
    const ofKeys = await keysProblem(db, keyring);
    if (ofKeys !== undefined) stopWith([ofKeys], EXIT_CONFIG);
  } catch (error) {
    log.warn('records database unreachable', traceOf(error));
  } finally {
    await close();
  }
}

const warnIncomplete = (): void => log.warn('records incomplete', {});

/** @throws ConfigError */
async function run(config: ApiConfig): Promise<void> {
  const { namespace, connectionOptions } = config.temporal;
  const connection = Connection.lazy({ ...connectionOptions.reveal(), ...RETRIES_WITHIN_LIMITS });
  const dataConverter = dataConverterFor({
    keyring: config.ENCRYPTION_KEYS,
    namespace,
    clearPayloads: config.PAYLOADS_IN_CLEAR,
  });
  const records = openRecords(config.RECORDS_URL, RECORDS_MS);
  const progress = followProgress(records.db, { signal: stopping.signal, onIncomplete: warnIncomplete });
  const changes = listen({
    progress,
    settings: config.RECORDS_LISTEN_URL ?? config.RECORDS_URL,
    db: records.db,
    onAway: (error) => log.warn('records database does not tell of changes', traceOf(error)),
  });
  const reader = createReader({ db: records.db, keyring: config.ENCRYPTION_KEYS });
  const client = new Client({ connection, namespace, dataConverter });
  const dependencies: ApiDependencies = {
    ...dependenciesOf(config, namespace),
    changes,
    audit: createAuditor(createAuditLog(records.db), log),
    progress,
    temporal: createGateway(client, config.TASK_QUEUE, reader, { progress }),
  };
  void keepKeysConfirmed(dependencies, stopping.signal);
  const servers = await openPorts(config, dependencies);
  for (const [index, name] of ['admin', 'api'].entries())
    console.log(`${name} listening on ${urlOf(servers[index]?.address())}`);
  const stop = (): void => {
    stopping.abort();
    const closed = servers.map((server) => promisify(server.close.bind(server))());
    void Promise.allSettled(closed)
      .then(() => Promise.allSettled([connection.close(), changes.close(), records.close()]))
      .then(() => process.exit(0));
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** The admin port, then the public one. @throws ConfigError */
async function openPorts(config: ApiConfig, dependencies: ApiDependencies): Promise<Server[]> {
  return [
    await openPort({
      app: createAdminApp({
        ...dependencies,
        isSecure: isHttps(config.CODEC_URL),
        hosts: adminHosts(config),
      }),
      ...{ host: config.ADMIN_HOST, port: config.ADMIN_PORT, variable: 'ADMIN' },
    }),
    await openPort({
      app: createApp({ ...dependencies, hasDocs: config.DOCS === 'on', proxies: config.TRUSTED_PROXIES }),
      perAddress: boundOf(config),
      ...{ host: config.API_HOST, port: config.API_PORT, variable: 'API' },
    }),
  ];
}

/** Behind a proxy, all connections have its address, so the proxy bounds those of strangers. */
const boundOf = ({ API_CONNECTIONS_PER_ADDRESS: most, TRUSTED_PROXIES: proxies }: ApiConfig) => ({
  most: proxies === 0 ? most : 0,
  onClosed: (count: number) => log.warn('connections of one address closed', { count }),
});

const adminHosts = ({ ADMIN_HOSTS: names, CODEC_URL: url }: ApiConfig): string[] => [
  ...names,
  ...(url === undefined ? [] : [new URL(url).hostname]),
];

const isHttps = (url = ''): boolean => url.startsWith('https:');

function urlOf(address: string | AddressInfo | null | undefined): string {
  if (address === null || address === undefined || typeof address === 'string') return String(address);
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

const metrics = createMetrics({ ofProcess: true });

const dependenciesOf = (
  config: ApiConfig,
  namespace: string,
): Omit<ApiDependencies, 'temporal' | 'changes' | 'audit' | 'progress'> => ({
  keys: keysOf(config, log, clock.now),
  verify: webhookVerifierOf(config, log),
  bridge: {
    patienceMs: config.WEBHOOK_PATIENCE_SECONDS * 1000,
    unavailable: config.WEBHOOK_UNAVAILABLE,
    requestIdHeader: config.WEBHOOK_REQUEST_ID_HEADER,
    stopping: stopping.signal,
  },
  keyring: config.ENCRYPTION_KEYS,
  sessionKeys: config.SESSION_KEYS,
  tokenKey: config.TOKEN_PUBLIC_KEY,
  // If the registered redirect URI uses https, browsers reach us by https.
  isSecure: isHttps(config.OAUTH_REDIRECT_URI),
  authorisation: {
    authUrl: config.PAYMENTS_AUTH_URL,
    clientId: config.OAUTH_CLIENT_ID,
    redirectUri: config.OAUTH_REDIRECT_URI,
    scopes: config.OAUTH_SCOPES,
    pkce: config.OAUTH_PKCE,
    returnUrls: config.RETURN_URLS,
    needsConfirmation: config.CONSENT_CONFIRMATION === 'on',
  },
  providerVersion: config.PAYMENTS_API_VERSION,
  isDualControl: config.DUAL_CONTROL === 'on',
  codec: { namespace, origins: config.CODEC_ORIGINS },
  clientDepth: config.CLIENT_DEPTH,
  highRisk: highRiskOf(config),
  temporalUi: { url: config.TEMPORAL_UI_URL, namespace },
  log,
  metrics,
  failedLogins: createFailedLogins({ metrics, clock }),
  rates: createRateLimits({
    perKey: config.API_RATE_PER_KEY,
    perAddress: config.API_RATE_PER_ADDRESS,
    proxies: config.TRUSTED_PROXIES,
  }),
  clock,
  waits: createWaitLimiter(),
  longAnswers: createLongAnswers(),
  checkWebhookUrl: createWebhookUrlCheck({
    allowsPrivate: config.WEBHOOK_PRIVATE_ADDRESSES === 'allow',
    resolve: resolveHost,
  }),
});

function stopWith(lines: readonly string[], exitCode: number): never {
  for (const line of lines) console.error(`api: ${line}`);
  process.exit(exitCode);
}

try {
  const config = readConfig();
  await assertTokensApart(config);
  const missing = missingScopes(config.OAUTH_SCOPES).map(([scope, needed]) => `${scope} (${needed})`);
  if (missing.length > 0)
    log.warn('scopes not requested', {
      variable: 'OAUTH_SCOPES',
      problem: `missing: ${missing.join(', ')}`,
    });
  await checkRecords(config);
  await run(config);
} catch (error) {
  if (error instanceof ConfigError) stopWith(error.lines, EXIT_CONFIG);
  throw error;
}
