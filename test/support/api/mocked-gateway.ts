import { vi } from 'vitest';
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
  aConnectionView,
  aFloatAccountView,
  aNotificationView,
  anUnmatchedCreditView,
} from './builders.js';
import { FEED_START } from '../../../records/events.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { ChangedPage } from '../../../api/gateway/records.js';
import type { StopRequest } from '../../../domain/payment/stop.js';
import { createStatement } from '../../../domain/float/statement.js';
import type { StoredDelivery } from '../../../records/webhook-endpoint-deliveries.js';
import type { StoredEndpoint } from '../../../records/webhook-endpoint-rows.js';

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
    changed: vi.fn<(...of: Parameters<Gateway['changed']>) => Promise<ChangedPage<never>>>(() =>
      Promise.resolve({ items: [], next: { era: 1, transaction: '700', uid: '' }, isNewest: true }),
    ),
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
      totals: vi.fn<Gateway['refunds']['totals']>(() => Promise.resolve([])),
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
    ...webhookDoors(),
    batches: {
      start: vi.fn<Gateway['batches']['start']>(({ id, kind, rows, isDryRun }) =>
        Promise.resolve(aBatchView({ id, kind, isDryRun, chunks: chunksOf([rows.length]) })),
      ),
      repaired: vi.fn<Gateway['batches']['repaired']>(() => Promise.resolve(undefined)),
      find: {
        retries: vi.fn<Gateway['batches']['find']['retries']>(() => Promise.resolve([])),
        resolutions: vi.fn<Gateway['batches']['find']['resolutions']>(() => Promise.resolve([])),
      },
      view: vi.fn<Gateway['batches']['view']>((id) => Promise.resolve(aBatchView({ id }))),
      rows: vi.fn<Gateway['batches']['rows']>(() => Promise.resolve({ rows: [], lost: [], next: undefined })),
      list: vi.fn<Gateway['batches']['list']>(() => Promise.resolve({ items: [], next: undefined })),
      steer: vi.fn<Gateway['batches']['steer']>(() => Promise.resolve()),
    },
    connections: connectionDoor(),
    approvals: {
      request: vi.fn<Gateway['approvals']['request']>((_id, { requestedBy }) =>
        Promise.resolve({ ...aPending, requestedBy }),
      ),
      approve: vi.fn<Gateway['approvals']['approve']>(() => Promise.resolve(undefined)),
      use: vi.fn<Gateway['approvals']['use']>(() => Promise.resolve(undefined)),
    },
    stop: {
      view: vi.fn<Gateway['stop']['view']>(() =>
        Promise.resolve({ stops: [], waiting: { payments: 2, refunds: 1 } }),
      ),
      stop: vi.fn<Gateway['stop']['stop']>((asked) => Promise.resolve([aStop(asked)])),
      resume: vi.fn<Gateway['stop']['resume']>(() => Promise.resolve([])),
    },
    workers: {
      queues: vi.fn<Gateway['workers']['queues']>(() =>
        Promise.resolve([{ queue: 'money', current: '1.2.0', polling: ['1.2.0'] }]),
      ),
    },
    events: {
      page: vi.fn<Gateway['events']['page']>(({ after = FEED_START }) =>
        Promise.resolve({ events: [], next: after, isNewest: true, expiredBefore: undefined }),
      ),
      one: vi.fn<Gateway['events']['one']>(() => Promise.resolve(undefined)),
      placeBefore: vi.fn<Gateway['events']['placeBefore']>(() => Promise.resolve(FEED_START)),
      newest: vi.fn<Gateway['events']['newest']>(() => Promise.resolve(FEED_START)),
    },
    deliver: vi.fn<Gateway['deliver']>(() => Promise.resolve()),
    ready: vi.fn<Gateway['ready']>(() => Promise.resolve()),
  };
}
export type Door = ReturnType<typeof aDoor>;

const aPending = { requestedAt: '2026-10-01T02:00:00.000Z', expiresAt: '2026-10-02T02:00:00.000Z' };

const aStop = (asked: StopRequest) => ({ ...asked, since: new Date(NOW).toISOString() });

export const NOW = Date.parse('2026-10-01T02:00:00.000Z');

export const aRound = () => ({ round: 1, expiresAt: new Date(NOW + 600_000).toISOString() });

export const connectionDoor = () => ({
  view: vi.fn<Gateway['connections']['view']>((id) => Promise.resolve(aConnectionView({ id }))),
  exists: vi.fn<Gateway['connections']['exists']>(() => Promise.resolve(true)),
  list: vi.fn<Gateway['connections']['list']>(() => Promise.resolve({ items: [], next: undefined })),
  useTicket: vi.fn<Gateway['connections']['useTicket']>(() => Promise.resolve({})),
  confirm: vi.fn<Gateway['connections']['confirm']>((id) => Promise.resolve(aConnectionView({ id }))),
  begin: vi.fn<Gateway['connections']['begin']>(() => Promise.resolve(aRound())),
  reauthorise: vi.fn<Gateway['connections']['reauthorise']>(() => Promise.resolve(aRound())),
  complete: vi.fn<Gateway['connections']['complete']>(() => Promise.resolve({})),
  revoke: vi.fn<Gateway['connections']['revoke']>((id) => Promise.resolve(aConnectionView({ id }))),
});

export const floatDoors = () => ({
  floatAccounts: {
    view: vi.fn<Gateway['floatAccounts']['view']>((uid) => Promise.resolve(aFloatAccountView({ uid }))),
    list: vi.fn<Gateway['floatAccounts']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    entries: vi.fn<Gateway['floatAccounts']['entries']>(() => Promise.resolve([])),
    statement: vi.fn<Gateway['floatAccounts']['statement']>(() =>
      Promise.resolve({ ...createStatement([]).end(), readAt: undefined }),
    ),
    acknowledge: vi.fn<Gateway['floatAccounts']['acknowledge']>((uid) =>
      Promise.resolve(aFloatAccountView({ uid })),
    ),
    requestReading: vi.fn<Gateway['floatAccounts']['requestReading']>((uid, { from }) =>
      Promise.resolve(aFloatAccountView({ uid, reading: { from, since: '2026-10-01T02:00:00.000Z' } })),
    ),
  },
  unmatchedCredits: {
    view: vi.fn<Gateway['unmatchedCredits']['view']>((uid) =>
      Promise.resolve(anUnmatchedCreditView({ uid })),
    ),
    list: vi.fn<Gateway['unmatchedCredits']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    candidates: vi.fn<Gateway['unmatchedCredits']['candidates']>(() => Promise.resolve([])),
    duplicates: vi.fn<Gateway['unmatchedCredits']['duplicates']>(() => Promise.resolve([])),
    resolve: vi.fn<Gateway['unmatchedCredits']['resolve']>((uid, resolution) =>
      Promise.resolve(
        anUnmatchedCreditView({
          ...{
            uid,
            state: resolution.decision,
            resolution: { ...resolution, at: '2026-10-01T02:00:00.000Z' },
          },
        }),
      ),
    ),
  },
  notifications: {
    view: vi.fn<Gateway['notifications']['view']>((uid) => Promise.resolve(aNotificationView({ uid }))),
    list: vi.fn<Gateway['notifications']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    acknowledge: vi.fn<Gateway['notifications']['acknowledge']>((uid, given) =>
      Promise.resolve(
        aNotificationView({
          ...{ uid, state: 'acknowledged', acknowledgement: { ...given, at: '2026-10-01T02:00:00.000Z' } },
        }),
      ),
    ),
  },
  journal: {
    read: vi.fn<Gateway['journal']['read']>(async function* () {
      yield await Promise.resolve({ postings: [], balances: [], totals: [] });
    }),
  },
  settlement: {
    expected: vi.fn<Gateway['settlement']['expected']>(async function* () {
      yield await Promise.resolve([]);
    }),
    report: vi.fn<Gateway['settlement']['report']>(() => Promise.resolve(undefined)),
    reconcile: vi.fn<Gateway['settlement']['reconcile']>(() =>
      Promise.resolve({
        ...{ from: '2026-09-30T14:00:00.000Z', until: '2026-10-01T14:00:00.000Z' },
        ...{ reports: [], compared: [], exceptions: [], float: [] },
      }),
    ),
  },
});

type Webhooks = Gateway['webhookEndpoints'];

const AT = '2026-10-01T02:00:00.000Z';
export const A_WEBHOOK_SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAA+123456789/AAAAAAAAA=';

export const anEndpoint = (of: Partial<StoredEndpoint> = {}): StoredEndpoint => ({
  ...{ id: 'we-1', principal: 'key-all', apiKeyId: 'id-all', url: 'https://backend.test/events' },
  ...{ description: undefined, types: undefined, connections: undefined, form: 'full', status: 'enabled' },
  ...{ keyScopes: ['read', 'write'], keyConnections: undefined, isKeyConfirmed: true, attention: [] },
  ...{ disabledBecause: undefined, disabledAt: undefined, createdAt: AT, updatedAt: AT },
  progress: {
    ...{ upToDateUntil: AT, waitingResources: 0, replays: 0 },
    ...{ failingSince: undefined, lastSuccessAt: undefined },
  },
  ...of,
});

export const aDelivery = (of: Partial<StoredDelivery> = {}): StoredDelivery => ({
  ...{ id: 'd-1', eventId: 'evt_1', eventType: 'payment.settled', resource: 'payment', uid: 'pay-1' },
  ...{ attempt: 1, at: AT, durationMs: 12, outcome: 'delivered', status: 200 },
  ...{ problem: undefined, answer: 'ok' },
  ...of,
});

export const webhookDoors = () => ({
  webhookEndpoints: {
    create: vi.fn<Webhooks['create']>(({ id, principal, apiKeyId, keyScopes, keyConnections, settings }) =>
      Promise.resolve({
        is: 'created',
        endpoint: anEndpoint({ id, principal, apiKeyId, keyScopes, keyConnections, ...settings }),
        secret: A_WEBHOOK_SECRET,
      }),
    ),
    list: vi.fn<Webhooks['list']>(() => Promise.resolve([anEndpoint()])),
    read: vi.fn<Webhooks['read']>((id) => Promise.resolve(anEndpoint({ id }))),
    change: vi.fn<Webhooks['change']>((id, { settings }) => Promise.resolve(anEndpoint({ id, ...settings }))),
    remove: vi.fn<Webhooks['remove']>(() => Promise.resolve(true)),
    resolveFlag: vi.fn<Webhooks['resolveFlag']>((id) => Promise.resolve(anEndpoint({ id }))),
    rotateSecret: vi.fn<Webhooks['rotateSecret']>(() =>
      Promise.resolve({ is: 'rotated', secret: A_WEBHOOK_SECRET }),
    ),
    startReplay: vi.fn<Webhooks['startReplay']>(() => Promise.resolve({ is: 'started' })),
    deliveries: vi.fn<Webhooks['deliveries']>(() =>
      Promise.resolve({ deliveries: [aDelivery()], next: undefined }),
    ),
    delivery: vi.fn<Webhooks['delivery']>((_, id) => Promise.resolve(aDelivery({ id }))),
    sendNow: vi.fn<Webhooks['sendNow']>(() => Promise.resolve(aDelivery())),
    confirmKeys: vi.fn<Webhooks['confirmKeys']>(() => Promise.resolve()),
  },
});
