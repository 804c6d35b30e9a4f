import { isAfter, type EventsRequest, type RecordedEvent } from '../../../records/events.js';
import { type Api, WEBHOOK_SECRET } from './app.js';
import { aPaymentView, signed } from './builders.js';

export const AT = '2026-10-01T01:00:00.000Z';

export const anEvent = (position: number, over: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...{ id: `evt_${position}`, type: 'payment.settled', place: [1, '700', position], resource: 'payment' },
  ...{ uid: 'pay-1', workflowId: 'payment/pay-1', connectionId: 'acme', version: position },
  ...{ at: AT, recordedAt: AT, own: {}, cause: undefined, view: aPaymentView(), previousView: undefined },
  ...over,
});

/** Answers as the records would. The array may grow. */
export function recordEvents({ door }: Api, events: readonly RecordedEvent[], expiredBefore?: string) {
  const page = ({ after = [0, '0', 0], filter: { types, connections } = {}, limit }: EventsRequest) => {
    const found = events
      .filter(({ place }) => isAfter(place, after))
      .filter(({ type }) => types === undefined || types.includes(type))
      .filter(({ connectionId = '' }) => connections === undefined || connections.includes(connectionId))
      .slice(0, limit);
    const isNewest = found.length < limit;
    const next = (isNewest ? events : found).at(-1)?.place ?? after;
    return { events: found, next: isAfter(next, after) ? next : after, isNewest, expiredBefore };
  };
  door.events.page.mockImplementation((request) => Promise.resolve(page(request)));
  door.events.newest.mockImplementation(() => Promise.resolve(events.at(-1)?.place ?? [0, '0', 0]));
  door.events.one.mockImplementation((id) => Promise.resolve(events.find((event) => event.id === id)));
}

export const push = async (
  { app, time }: Api,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/webhooks',
) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { ...signed(text, WEBHOOK_SECRET, time.now), ...headers };
  return app.request(path, { method: 'POST', headers: all, body: text });
};
export const metric = async ({ metrics }: Api, name: string) =>
  (await metrics.text()).split('\n').find((line) => line.startsWith(name));
