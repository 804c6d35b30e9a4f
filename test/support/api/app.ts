import { NOW, aRound, connectionDoor } from './connection-door.js';
import { SECRET_OF_ACME, WEBHOOK_SECRET, WEBHOOK_VERIFIERS } from './webhook-verifiers.js';
import { floatDoors } from './float-doors.js';
import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { createAdminApp, createApp } from '../../../api/app.js';
import { NO_RATE_LIMITS } from '../../../api/http/rate-limits.js';
import { createWaitLimiter } from '../../../api/http/wait-limiter.js';
import type { AuditEvent } from '../../../records/audit.js';
import { createFailedLogins } from '../../../api/http/failed-logins.js';
import type { ApiKey } from '../../../api/http/api-keys.js';
import type { ApiDependencies } from '../../../api/http/dependencies.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { StopRequest } from '../../../domain/payment/stop.js';
import { verifyWith } from '../../../api/webhook-secrets.js';
import { parseKeyring } from '../../../sealing/keyring.js';
import { publicKeyOf } from '../../../sealing/public-key.js';
import { secretOf } from '../../../sealing/secret.js';
import { createLogger } from '../../../telemetry/logger.js';
import { createMetrics } from '../../../telemetry/metrics.js';
import { chunksOf } from '../../../domain/batch/rows.js';
import { newOnboarding } from '../../../workflows/onboarding/state.js';
import { viewOf as onboardingView } from '../../../workflows/onboarding/view.js';
import {
  aBatchView,
  aCounterpartyView,
  aClientView,
  aPaymentView,
  aRefundView,
  anAgreementView,
} from './builders.js';

export { NOW, aRound };
export { SECRET_OF_ACME, WEBHOOK_SECRET };
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

export function aDoor() {
  return {
    agreements: {
      start: vi.fn<Gateway['agreements']['start']>(({ uid, mandate, connection }) =>
        Promise.resolve(anAgreementView({ uid, mandate, connectionId: connection ?? 'acme' })),
      ),
      view: vi.fn<Gateway['agreements']['view']>((uid) => Promise.resolve(anAgreementView({ uid }))),
      whole: vi.fn<Gateway['agreements']['whole']>((uid) => Promise.resolve(anAgreementView({ uid }))),
      act: vi.fn<Gateway['agreements']['act']>(() => Promise.resolve()),
      lookUp: vi.fn<Gateway['agreements']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Gateway['agreements']['resolveAttention']>(() => Promise.resolve()),
      putPlan: vi.fn<Gateway['agreements']['putPlan']>(() => Promise.resolve()),
      endPlan: vi.fn<Gateway['agreements']['endPlan']>(() => Promise.resolve()),
      list: vi.fn<Gateway['agreements']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    },
    timeline: vi.fn<Gateway['timeline']>(() =>
      Promise.resolve({ entries: [], next: undefined, isWhole: true }),
    ),
    payments: {
      totals: vi.fn<Gateway['payments']['totals']>(() => Promise.resolve([])),
      list: vi.fn<Gateway['payments']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      judge: vi.fn<Gateway['payments']['judge']>(() => Promise.resolve(undefined)),
      request: vi.fn<Gateway['payments']['request']>((uid, order) =>
        Promise.resolve(aPaymentView({ uid, order })),
      ),
      view: vi.fn<Gateway['payments']['view']>((uid) => Promise.resolve(aPaymentView({ uid }))),
      lookUp: vi.fn<Gateway['payments']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Gateway['payments']['resolveAttention']>(() => Promise.resolve()),
      retry: vi.fn<Gateway['payments']['retry']>(() => Promise.resolve()),
      withdraw: vi.fn<Gateway['payments']['withdraw']>(() => Promise.resolve()),
    },
    refunds: {
      list: vi.fn<Gateway['refunds']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      request: vi.fn<Gateway['refunds']['request']>(({ uid, order }) =>
        Promise.resolve(aRefundView({ uid, order })),
      ),
      view: vi.fn<Gateway['refunds']['view']>((uid) => Promise.resolve(aRefundView({ uid }))),
      lookUp: vi.fn<Gateway['refunds']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Gateway['refunds']['resolveAttention']>(() => Promise.resolve()),
    },
    clients: {
      start: vi.fn<Gateway['clients']['start']>(({ uidOn, connection = 'acme', order }) =>
        Promise.resolve(aClientView({ uid: uidOn(connection), connectionId: connection, order })),
      ),
      view: vi.fn<Gateway['clients']['view']>((uid) => Promise.resolve(aClientView({ uid }))),
      list: vi.fn<Gateway['clients']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      beneath: vi.fn<Gateway['clients']['beneath']>(() =>
        Promise.resolve({ own: 0, agreements: 0, clients: [] }),
      ),
      uidOf: vi.fn<Gateway['clients']['uidOf']>(() => Promise.resolve(undefined)),
      placeOf: vi.fn<Gateway['clients']['placeOf']>(() => Promise.resolve({ above: [], refusals: [] })),
      change: vi.fn<Gateway['clients']['change']>(() => Promise.resolve()),
      lookUp: vi.fn<Gateway['clients']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Gateway['clients']['resolveAttention']>(() => Promise.resolve()),
    },
    initiators: {
      client: vi.fn<Gateway['initiators']['client']>(() => Promise.resolve(undefined)),
      account: vi.fn<Gateway['initiators']['account']>(() => Promise.resolve(undefined)),
    },
    onboardings: {
      start: vi.fn<Gateway['onboardings']['start']>((asked) =>
        Promise.resolve(onboardingView(newOnboarding(asked, new Date(NOW).toISOString()))),
      ),
      view: vi.fn<Gateway['onboardings']['view']>(() => Promise.resolve(undefined)),
      list: vi.fn<Gateway['onboardings']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      command: vi.fn<Gateway['onboardings']['command']>(() => Promise.resolve()),
    },
    connectionFor: (id = 'acme') => Promise.resolve(id),
    connectionOf: vi.fn<Gateway['connectionOf']>(() => Promise.resolve('acme')),
    counterparties: {
      start: vi.fn<Gateway['counterparties']['start']>(({ on, connection = 'acme' }) =>
        Promise.resolve(aCounterpartyView({ ...on(connection), connectionId: connection })),
      ),
      view: vi.fn<Gateway['counterparties']['view']>((uid) => Promise.resolve(aCounterpartyView({ uid }))),
      list: vi.fn<Gateway['counterparties']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      change: vi.fn<Gateway['counterparties']['change']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Gateway['counterparties']['resolveAttention']>(() => Promise.resolve()),
    },
    ...floatDoors(),
    batches: {
      start: vi.fn<Gateway['batches']['start']>(({ id, kind, rows, isDryRun }) =>
        Promise.resolve(aBatchView({ id, kind, isDryRun, chunks: chunksOf([rows.length]) })),
      ),
      view: vi.fn<Gateway['batches']['view']>((id) => Promise.resolve(aBatchView({ id }))),
      rows: vi.fn<Gateway['batches']['rows']>(() => Promise.resolve({ rows: [], lost: [], next: undefined })),
      list: vi.fn<Gateway['batches']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      steer: vi.fn<Gateway['batches']['steer']>(() => Promise.resolve()),
    },
    connections: connectionDoor(),
    approvals: {
      request: vi.fn<Gateway['approvals']['request']>((_id, { requestedBy }) =>
        Promise.resolve({ requestedBy, expiresAt: '2026-10-02T02:00:00.000Z' }),
      ),
      approve: vi.fn<Gateway['approvals']['approve']>(() => Promise.resolve(undefined)),
    },
    stop: {
      view: vi.fn<Gateway['stop']['view']>(() =>
        Promise.resolve({ stops: [], waiting: { payments: 2, refunds: 1 } }),
      ),
      stop: vi.fn<Gateway['stop']['stop']>((asked) => Promise.resolve([aStop(asked)])),
      resume: vi.fn<Gateway['stop']['resume']>(() => Promise.resolve([])),
    },
    deliver: vi.fn<Gateway['deliver']>(() => Promise.resolve()),
    ready: vi.fn<Gateway['ready']>(() => Promise.resolve()),
  };
}
export type Door = ReturnType<typeof aDoor>;

const A_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const aStop = (asked: StopRequest) => ({ ...asked, since: new Date(NOW).toISOString() });

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
  const dependencies: ApiDependencies = {
    temporal: door,
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
    changes: {
      watch: () => ({
        changed: (ms) => {
          time.now += Math.min(ms, CHANGE_AFTER_MS);
          return Promise.resolve();
        },
        stop: () => undefined,
      }),
    },
    waits: createWaitLimiter(settings.waits),
    audit: { note: (_, event) => void audited.push(event), read: auditRead },
  };
  const [app, admin] = [createApp(dependencies), createAdminApp(dependencies)];
  return {
    app,
    admin,
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
  method: 'POST' | 'PUT' = 'POST',
) =>
  app.request(path, {
    method,
    headers: { ...authorised(KEYS.all), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
