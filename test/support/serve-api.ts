import { createHash } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../../api/app.js';
import { createGateway } from '../../api/gateway/create.js';
import { createVerifier } from '../../payments-api/webhook.js';
import { REVOCABLE_SCOPES } from '../../sandbox/http/scopes.js';
import { secretOf } from '../../sealing/secret.js';
import { createLogger } from '../../telemetry/logger.js';
import { createMetrics } from '../../telemetry/metrics.js';
import { SESSION_KEYS } from './sealing/keyrings.js';
import { createAuditLog } from '../../records/audit.js';
import { NO_PROGRESS } from '../../records/progress.js';
import { createReader, type RecordReader } from '../../records/read.js';
import { createFailedLogins } from '../../api/http/failed-logins.js';
import { createAuditor } from '../../api/http/audit.js';
import { NO_RATE_LIMITS } from '../../api/http/rate-limits.js';
import { createWebhookUrlCheck, resolveHost } from '../../api/webhook-urls.js';
import { createLongAnswers } from '../../api/http/long-answers.js';
import { createWaitLimiter } from '../../api/http/wait-limiter.js';
import type { ApiKey } from '../../api/http/api-keys.js';
import type { PublicKey } from '../../sealing/public-key.js';
import type { Clock } from '../../api/http/wait.js';
import type { RecordsDatabase } from '../../records/database.js';
import type { Changes } from '../../records/watchers.js';
import type { Server } from 'node:http';
import type { RunningSandbox } from '../../sandbox/start.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Temporal } from './temporal.js';
import type { Authorisation } from '../../api/routes/connection/oauth-state.js';

export const KEY = 'test-key';
/** Of the principal `other`. */
export const OTHER_KEY = 'other-key';
export const SECRET = 'test-webhook-secret';
export const CLIENT_SECRET = 'sandbox-client-secret';
export const CLIENT = { clientId: 'sandbox-client', clientSecret: CLIENT_SECRET };

export type ConsentSettings = Partial<Pick<Authorisation, 'returnUrls' | 'needsConfirmation'>>;

const apiKey = (principal: string, secret: string): ApiKey => ({
  ...{ id: principal, principal, scopes: ['read', 'write', 'operate', 'stop', 'decode'] },
  sha256: secretOf(createHash('sha256').update(secret).digest()),
});

export function serveApi(
  server: Server,
  from: {
    temporal: Pick<Temporal, 'client'>;
    taskQueue: string;
    keyring: Keyring;
    sandbox: RunningSandbox;
    redirectUri: string;
    db: RecordsDatabase['db'];
    changes: Changes;
    tokenKey: PublicKey;
    consent?: ConsentSettings;
    reader?: RecordReader;
    keys?: readonly ApiKey[];
  },
): void {
  const { temporal, taskQueue, keyring, tokenKey, sandbox, redirectUri, db, changes } = from;
  const log = createLogger('api', { write: () => undefined });
  const metrics = createMetrics();
  const clock: Clock = {
    now: () => Date.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
  const app = createApp({
    progress: NO_PROGRESS,
    temporal: createGateway(temporal.client, taskQueue, from.reader ?? createReader({ db, keyring })),
    keys: () => [apiKey('test', KEY), apiKey('other', OTHER_KEY), ...(from.keys ?? [])],
    verify: createVerifier({
      verifier: 'hmac',
      secrets: [SECRET],
      signatureHeader: 'Service-Signature',
      toleranceSeconds: 300,
    }),
    bridge: {
      patienceMs: 0,
      unavailable: 'close',
      requestIdHeader: 'Service-Request-ID',
      stopping: new AbortController().signal,
    },
    keyring,
    sessionKeys: SESSION_KEYS,
    tokenKey,
    isSecure: false,
    codec: { namespace: 'default', origins: [] },
    providerVersion: '20260901',
    isDualControl: false,
    authorisation: {
      authUrl: sandbox.url,
      clientId: CLIENT.clientId,
      redirectUri,
      scopes: REVOCABLE_SCOPES.join(' '),
      pkce: 'S256',
      returnUrls: [],
      needsConfirmation: false,
      ...from.consent,
    },
    clientDepth: 2,
    highRisk: { codes: ['7995'], primary: undefined },
    temporalUi: { url: undefined, namespace: 'default' },
    ...{ changes, log, metrics, clock },
    rates: NO_RATE_LIMITS,
    waits: createWaitLimiter(),
    longAnswers: createLongAnswers(),
    checkWebhookUrl: createWebhookUrlCheck({ allowsPrivate: true, resolve: resolveHost }),
    audit: createAuditor(createAuditLog(db), log),
    failedLogins: createFailedLogins({ metrics, clock }),
  });
  const listener = getRequestListener(app.fetch);
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
}
