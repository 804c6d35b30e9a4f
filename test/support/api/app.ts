import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { createApp } from '../../../api/app.js';
import type { ApiDependencies } from '../../../api/http/dependencies.js';
import type { Temporal } from '../../../api/gateway/create.js';
import type { StopRequest } from '../../../domain/payment/stop.js';
import { createVerifier } from '../../../payments-api/webhook.js';
import { parseKeyring } from '../../../sealing/keyring.js';
import { secretOf } from '../../../sealing/secret.js';
import { createLogger } from '../../../telemetry/logger.js';
import { createMetrics } from '../../../telemetry/metrics.js';
import { runsOf } from '../../../domain/batch/rows.js';
import { newOnboarding } from '../../../workflows/onboarding/state.js';
import { viewOf as onboardingView } from '../../../workflows/onboarding/view.js';
import {
  aBatchView,
  aCounterpartyView,
  aClientView,
  aPaymentView,
  aConnectionView,
  aRefundView,
  anAgreementView,
} from './builders.js';

export const NOW = Date.parse('2026-10-01T02:00:00.000Z');
export const WEBHOOK_SECRET = 'whsec-of-tests';
export const UI_ORIGINS = ['http://127.0.0.1:8233', 'http://localhost:8233'] as const;
export const KEYS = {
  all: 'key-all',
  read: 'key-read',
  write: 'key-write',
  operate: 'key-operate',
  personal: 'key-personal',
  readPersonal: 'key-read-personal',
} as const;

const apiKey = (secret: string, scopes: ApiDependencies['keys'][number]['scopes']) => ({
  id: secret,
  scopes,
  sha256: secretOf(createHash('sha256').update(secret).digest()),
});

/** What the door answers unless a test says otherwise: everything goes well. */
export function aDoor() {
  return {
    agreements: {
      start: vi.fn<Temporal['agreements']['start']>(({ uid, mandate, connection }) =>
        Promise.resolve(anAgreementView({ uid, mandate, connectionId: connection ?? 'acme' })),
      ),
      view: vi.fn<Temporal['agreements']['view']>((uid) => Promise.resolve(anAgreementView({ uid }))),
      timeline: vi.fn<Temporal['agreements']['timeline']>(() =>
        Promise.resolve({ facts: [], olderCount: 0, conflicts: [] }),
      ),
      older: vi.fn<Temporal['agreements']['older']>(() => Promise.resolve({ facts: [], isLast: true })),
      act: vi.fn<Temporal['agreements']['act']>(() => Promise.resolve()),
      lookUp: vi.fn<Temporal['agreements']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Temporal['agreements']['resolveAttention']>(() => Promise.resolve()),
      putPlan: vi.fn<Temporal['agreements']['putPlan']>(() => Promise.resolve()),
      endPlan: vi.fn<Temporal['agreements']['endPlan']>(() => Promise.resolve()),
      list: vi.fn<Temporal['agreements']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    },
    payments: {
      list: vi.fn<Temporal['payments']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      judge: vi.fn<Temporal['payments']['judge']>(() => Promise.resolve(null)),
      request: vi.fn<Temporal['payments']['request']>((uid, order) =>
        Promise.resolve(aPaymentView({ uid, order })),
      ),
      view: vi.fn<Temporal['payments']['view']>((uid) => Promise.resolve(aPaymentView({ uid }))),
      lookUp: vi.fn<Temporal['payments']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Temporal['payments']['resolveAttention']>(() => Promise.resolve()),
      retry: vi.fn<Temporal['payments']['retry']>(() => Promise.resolve()),
      withdraw: vi.fn<Temporal['payments']['withdraw']>(() => Promise.resolve()),
    },
    refunds: {
      list: vi.fn<Temporal['refunds']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      request: vi.fn<Temporal['refunds']['request']>(({ uid, order }) =>
        Promise.resolve(aRefundView({ uid, order })),
      ),
      view: vi.fn<Temporal['refunds']['view']>((uid) => Promise.resolve(aRefundView({ uid }))),
      lookUp: vi.fn<Temporal['refunds']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Temporal['refunds']['resolveAttention']>(() => Promise.resolve()),
    },
    clients: {
      start: vi.fn<Temporal['clients']['start']>(({ uidOn, connection = 'acme', order }) =>
        Promise.resolve(aClientView({ uid: uidOn(connection), connectionId: connection, order })),
      ),
      view: vi.fn<Temporal['clients']['view']>((uid) => Promise.resolve(aClientView({ uid }))),
      list: vi.fn<Temporal['clients']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      beneath: vi.fn<Temporal['clients']['beneath']>(() =>
        Promise.resolve({ own: 0, agreements: 0, clients: [] }),
      ),
      uidOf: vi.fn<Temporal['clients']['uidOf']>(() => Promise.resolve(undefined)),
      placeOf: vi.fn<Temporal['clients']['placeOf']>(() => Promise.resolve({ above: [] })),
      refusalToInitiate: vi.fn<Temporal['clients']['refusalToInitiate']>(() => Promise.resolve(undefined)),
      categoryOf: vi.fn<Temporal['clients']['categoryOf']>(() => Promise.resolve(undefined)),
      change: vi.fn<Temporal['clients']['change']>(() => Promise.resolve()),
      lookUp: vi.fn<Temporal['clients']['lookUp']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Temporal['clients']['resolveAttention']>(() => Promise.resolve()),
    },
    onboardings: {
      start: vi.fn<Temporal['onboardings']['start']>((asked) =>
        Promise.resolve(onboardingView(newOnboarding(asked, new Date(NOW).toISOString()))),
      ),
      view: vi.fn<Temporal['onboardings']['view']>(() => Promise.resolve(undefined)),
      list: vi.fn<Temporal['onboardings']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      command: vi.fn<Temporal['onboardings']['command']>(() => Promise.resolve()),
    },
    connectionFor: (id = 'acme') => Promise.resolve(id),
    counterparties: {
      start: vi.fn<Temporal['counterparties']['start']>(({ on, connection = 'acme' }) =>
        Promise.resolve(aCounterpartyView({ ...on(connection), connectionId: connection })),
      ),
      view: vi.fn<Temporal['counterparties']['view']>((uid) => Promise.resolve(aCounterpartyView({ uid }))),
      list: vi.fn<Temporal['counterparties']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      change: vi.fn<Temporal['counterparties']['change']>(() => Promise.resolve()),
      resolveAttention: vi.fn<Temporal['counterparties']['resolveAttention']>(() => Promise.resolve()),
    },
    batches: {
      start: vi.fn<Temporal['batches']['start']>(({ id, kind, rows, isDryRun }) =>
        Promise.resolve(aBatchView({ id, kind, isDryRun, runs: runsOf([rows.length]) })),
      ),
      view: vi.fn<Temporal['batches']['view']>((id) => Promise.resolve(aBatchView({ id }))),
      rows: vi.fn<Temporal['batches']['rows']>(() => Promise.resolve({ rows: [], next: undefined })),
      list: vi.fn<Temporal['batches']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      steer: vi.fn<Temporal['batches']['steer']>(() => Promise.resolve()),
    },
    connections: {
      view: vi.fn<Temporal['connections']['view']>((id) => Promise.resolve(aConnectionView({ id }))),
      exists: vi.fn<Temporal['connections']['exists']>(() => Promise.resolve(true)),
      begin: vi.fn<Temporal['connections']['begin']>(() => Promise.resolve(aRound())),
      renew: vi.fn<Temporal['connections']['renew']>(() => Promise.resolve(aRound())),
      complete: vi.fn<Temporal['connections']['complete']>(() => Promise.resolve({})),
      revoke: vi.fn<Temporal['connections']['revoke']>((id) => Promise.resolve(aConnectionView({ id }))),
    },
    stop: {
      view: vi.fn<Temporal['stop']['view']>(() =>
        Promise.resolve({ stops: [], waiting: { payments: 2, refunds: 1 } }),
      ),
      stop: vi.fn<Temporal['stop']['stop']>((asked) => Promise.resolve([aStop(asked)])),
      lift: vi.fn<Temporal['stop']['lift']>(() => Promise.resolve([])),
    },
    deliver: vi.fn<Temporal['deliver']>(() => Promise.resolve()),
    ready: vi.fn<Temporal['ready']>(() => Promise.resolve()),
  };
}
export type Door = ReturnType<typeof aDoor>;

const A_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export const aRound = () => ({ round: 1, expiresAt: new Date(NOW + 600_000).toISOString() });

const aStop = (asked: StopRequest) => ({ ...asked, since: new Date(NOW).toISOString() });

/** How often something was started, sent or delivered. */
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
    door.connections.renew,
    door.connections.complete,
    door.connections.revoke,
    door.stop.stop,
    door.stop.lift,
    door.deliver,
  ]
    .map(({ mock }) => mock.calls.length)
    .reduce((sum, calls) => sum + calls, 0);

interface Settings {
  /** PAYMENTS_API_VERSION */
  version?: string;
  uiUrl?: string;
  pkce?: 'off' | 'S256';
  /** ENCRYPTION_KEYS */
  keys?: string;
  codec?: ApiDependencies['codec'];
  bridge?: Partial<ApiDependencies['bridge']>;
}
const CODEC = { namespace: 'default', origins: UI_ORIGINS, isSecure: true };

export function anApi(settings: Settings = {}) {
  const { uiUrl, pkce = 'off', keys = A_KEY, codec = CODEC, bridge, version = '20260901' } = settings;
  const door = aDoor();
  const lines: string[] = [];
  const time = { now: NOW };
  const metrics = createMetrics();
  const keyring = parseKeyring(keys);
  const app = createApp({
    temporal: door,
    keys: [
      apiKey(KEYS.all, ['read', 'write', 'operate']),
      apiKey(KEYS.read, ['read']),
      apiKey(KEYS.write, ['write']),
      apiKey(KEYS.operate, ['operate']),
      apiKey(KEYS.personal, ['personal']),
      apiKey(KEYS.readPersonal, ['read', 'personal']),
    ],
    verify: createVerifier({
      verifier: 'hmac',
      secrets: ['an-older-secret', WEBHOOK_SECRET],
      signatureHeader: 'Service-Signature',
      toleranceSeconds: 300,
    }),
    bridge: { patienceMs: 10_000, unavailable: '503', stopping: new AbortController().signal, ...bridge },
    keyring,
    codec,
    authorisation: {
      authUrl: 'https://auth.test',
      clientId: 'our-client',
      redirectUri: 'https://api.test/oauth/callback',
      scopes: 'pay_to_agreements pay_to_payments',
      pkce,
    },
    providerVersion: version,
    clientDepth: 2,
    highRisk: { codes: ['7995'], primary: undefined },
    temporalUi: { url: uiUrl, namespace: 'default' },
    log: createLogger('api', { write: (line) => void lines.push(line) }),
    metrics,
    clock: {
      now: () => time.now,
      pause: (ms) => {
        time.now += ms;
        return Promise.resolve();
      },
    },
  });
  return { app, door, lines, time, metrics, keyring };
}
export type Api = ReturnType<typeof anApi>;

const authorised = (key: string) => ({ authorization: `Bearer ${key}` });

export const get = async ({ app }: Api, path: string, key: string = KEYS.all) =>
  app.request(path, { headers: authorised(key) });

export const post = async ({ app }: Api, path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { ...authorised(KEYS.all), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
