import { NOW, aRound, aDoor, type Door } from './mocked-gateway.js';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { createAdminApp, createApp } from '../../../api/app.js';
import { NO_RATE_LIMITS } from '../../../api/http/rate-limits.js';
import { createWebhookUrlCheck } from '../../../api/webhook-urls.js';
import { createLongAnswers } from '../../../api/http/long-answers.js';
import { createWaitLimiter } from '../../../api/http/wait-limiter.js';
import { createFailedLogins } from '../../../api/http/failed-logins.js';
import { verifyWith } from '../../../api/webhook-secrets.js';
import { parseKeyring } from '../../../sealing/keyring.js';
import { publicKeyOf } from '../../../sealing/public-key.js';
import { secretOf } from '../../../sealing/secret.js';
import { createLogger } from '../../../telemetry/logger.js';
import { createMetrics } from '../../../telemetry/metrics.js';
import { NO_PROGRESS } from '../../../records/progress.js';
import type { AuditEvent } from '../../../records/audit.js';
import type { ApiKey } from '../../../api/http/api-keys.js';
import type { ApiDependencies } from '../../../api/http/dependencies.js';
import type { Router } from '../../../api/http/env.js';
import { createVerifier } from '../../../payments-api/webhook.js';

export { NOW, aRound };
export const UI_ORIGINS = ['http://127.0.0.1:8233', 'http://localhost:8233'] as const;
export const KEYS = {
  all: 'key-all',
  read: 'key-read',
  write: 'key-write',
  operate: 'key-operate',
  stop: 'key-stop',
  decode: 'key-decode',
  personal: 'key-personal',
  readPersonal: 'key-read-personal',
  allRotated: 'key-all-rotated',
  other: 'key-other',
} as const;

const apiKey = (secret: string, scopes: ApiKey['scopes'], principal = secret) => ({
  id: secret.replace('key-', 'id-'),
  principal,
  scopes,
  sha256: secretOf(createHash('sha256').update(secret).digest()),
});

const KEYS_OF_TESTS = [
  apiKey(KEYS.all, ['read', 'write', 'operate', 'stop', 'decode']),
  apiKey(KEYS.read, ['read']),
  apiKey(KEYS.write, ['write']),
  apiKey(KEYS.operate, ['operate']),
  apiKey(KEYS.stop, ['stop']),
  apiKey(KEYS.decode, ['decode']),
  apiKey(KEYS.personal, ['personal']),
  apiKey(KEYS.readPersonal, ['read', 'personal']),
  apiKey(KEYS.allRotated, ['read', 'write', 'operate', 'stop', 'decode'], KEYS.all),
  apiKey(KEYS.other, ['read', 'write', 'operate', 'stop', 'decode']),
];

const A_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** Until when the records of a test API could be written. */
export const RECORDED_UNTIL = '2026-10-01T02:00:00.000Z';

interface Settings {
  version?: string;
  uiUrl?: string;
  pkce?: 'off' | 'S256';
  isSecure?: boolean;
  isDualControl?: boolean;
  consent?: Partial<Pick<ApiDependencies['authorisation'], 'returnUrls' | 'needsConfirmation'>>;
  keys?: string;
  sessionKeys?: string;
  codec?: ApiDependencies['codec'];
  bridge?: Partial<ApiDependencies['bridge']>;
  rates?: ApiDependencies['rates'];
  waits?: { ofKey: number; ofProcess: number };
  primaryCategory?: string;
}
const HOSTS: Readonly<Record<string, string[] | undefined>> = {
  'backend.test': ['8.8.8.8'],
  'inside.test': ['8.8.8.8', '10.0.0.7'],
};
const CHANGE_AFTER_MS = 500;
const CODEC = { namespace: 'default', origins: UI_ORIGINS };
export const TOKEN_KEYS = parseKeyring(`t1:${Buffer.alloc(32, 5).toString('base64')}`);
const TOKEN_KEY = await publicKeyOf(TOKEN_KEYS);

export function anApi(settings: Settings = {}) {
  const {
    uiUrl,
    pkce = 'S256',
    keys = A_KEY,
    sessionKeys: ofSessions = keys,
    codec = CODEC,
    bridge,
    version = '20260901',
  } = settings;
  const door = aDoor();
  const lines: string[] = [];
  const audited: Partial<AuditEvent>[] = [];
  const auditRead = vi.fn<ApiDependencies['audit']['read']>(() => Promise.resolve([]));
  const time = { now: NOW };
  const metrics = createMetrics();
  const [keyring, sessionKeys] = [parseKeyring(keys), parseKeyring(ofSessions)];
  const clock = {
    now: () => time.now,
    pause: (ms: number) => {
      time.now += ms;
      return Promise.resolve();
    },
  };
  const keysNow: ApiKey[] = [...KEYS_OF_TESTS];
  const watcher = () => ({
    changed: (ms: number) => {
      time.now += Math.min(ms, CHANGE_AFTER_MS);
      return Promise.resolve();
    },
    stop: () => undefined,
  });
  const dependencies: ApiDependencies = {
    temporal: door,
    progress: { ...NO_PROGRESS, recordedUntil: () => RECORDED_UNTIL },
    keys: () => keysNow,
    failedLogins: createFailedLogins({ metrics, clock }),
    rates: settings.rates ?? NO_RATE_LIMITS,
    verify: verifyWith(() => WEBHOOK_VERIFIERS),
    bridge: {
      patienceMs: 10_000,
      unavailable: '503',
      requestIdHeader: 'Service-Request-ID',
      stopping: new AbortController().signal,
      ...bridge,
    },
    keyring,
    sessionKeys,
    tokenKey: TOKEN_KEY,
    isSecure: settings.isSecure ?? true,
    codec,
    authorisation: {
      authUrl: 'https://auth.test',
      clientId: 'our-client',
      redirectUri: 'https://api.test/oauth/callback',
      scopes: 'pay_to_agreements pay_to_payments',
      pkce,
      returnUrls: [],
      needsConfirmation: false,
      ...settings.consent,
    },
    providerVersion: version,
    isDualControl: settings.isDualControl ?? false,
    clientDepth: 2,
    highRisk: { codes: ['7995'], primary: settings.primaryCategory },
    temporalUi: { url: uiUrl, namespace: 'default' },
    log: createLogger('api', { write: (line) => void lines.push(line) }),
    metrics,
    clock,
    changes: { watch: watcher, watchAll: () => ({ ...watcher(), changed: () => setImmediate() }) },
    waits: createWaitLimiter(settings.waits),
    longAnswers: createLongAnswers(),
    checkWebhookUrl: createWebhookUrlCheck({
      allowsPrivate: false,
      resolve: (name) => Promise.resolve(HOSTS[name] ?? []),
    }),
    audit: { note: (_, event) => void audited.push(event), read: auditRead },
  };
  // Most tests use one of the two, and their routes take longer than most tests.
  let app: Router | undefined;
  let admin: Router | undefined;
  return {
    get app() {
      return (app ??= createApp(dependencies));
    },
    get admin() {
      return (admin ??= createAdminApp({ ...dependencies, hosts: ['api.test'] }));
    },
    dependencies,
    door,
    keysNow,
    lines,
    time,
    metrics,
    keyring,
    sessionKeys,
    audited,
    auditRead,
  };
}
export type Api = ReturnType<typeof anApi>;

const authorised = (key: string) => ({ authorization: `Bearer ${key}` });

export const get = async ({ app }: Api, path: string, key: string = KEYS.all) =>
  app.request(path, { headers: authorised(key) });

export const post = async (
  { app }: Api,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  method: 'POST' | 'PUT' | 'PATCH' = 'POST',
) =>
  app.request(path, {
    method,
    headers: { ...authorised(KEYS.all), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export const WEBHOOK_SECRET = 'whsec-of-tests';
export const SECRET_OF_ACME = 'whsec-of-acme';

const verifierWith = (secrets: string[]) =>
  createVerifier({ verifier: 'hmac', secrets, signatureHeader: 'Service-Signature', toleranceSeconds: 300 });

export const WEBHOOK_VERIFIERS = {
  application: verifierWith(['an-older-secret', WEBHOOK_SECRET]),
  ofConnections: new Map([['acme', verifierWith([SECRET_OF_ACME])]]),
};

export const sentOf = (door: Door): number =>
  [
    door.agreements.start,
    door.agreements.act,
    door.agreements.lookUp,
    door.agreements.resolveAttention,
    door.agreements.putPlan,
    door.agreements.endPlan,
    door.payments.request,
    door.payments.withdraw,
    door.payments.retry,
    door.payments.lookUp,
    door.payments.resolveAttention,
    door.refunds.request,
    door.refunds.lookUp,
    door.refunds.resolveAttention,
    door.clients.start,
    door.clients.change,
    door.clients.lookUp,
    door.clients.resolveAttention,
    door.onboardings.start,
    door.onboardings.command,
    door.counterparties.start,
    door.counterparties.change,
    door.counterparties.resolveAttention,
    door.batches.start,
    door.batches.steer,
    door.connections.begin,
    door.connections.reauthorise,
    door.connections.complete,
    door.connections.useTicket,
    door.connections.confirm,
    door.connections.revoke,
    door.stop.stop,
    door.stop.resume,
    door.deliver,
  ]
    .map(({ mock }) => mock.calls.length)
    .reduce((sum, calls) => sum + calls, 0);
