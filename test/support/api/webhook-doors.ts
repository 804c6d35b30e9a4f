import { vi } from 'vitest';
import type { Gateway } from '../../../api/gateway/create.js';
import type { StoredDelivery } from '../../../records/webhook-endpoint-deliveries.js';
import type { StoredEndpoint } from '../../../records/webhook-endpoint-rows.js';

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
