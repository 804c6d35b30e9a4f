// Each endpoint gets the events of a resource in order, and none is lost.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CONNECTIONS } from '../../../activities/webhook/lanes.js';
import { MOST_WAITING, deliverRound, type Round } from '../../../activities/webhook/round.js';
import { GIVES_UP_AFTER_MS } from '../../../domain/records/webhook-retries.js';
import { isAfter } from '../../../records/events.js';
import type {
  EventPlace,
  WaitingResource,
  WebhookEvent,
  WebhookProgress,
  WebhookRows,
} from '../../../domain/records/webhooks.js';

const place = (position: number): EventPlace => [1, '7', position];
const anEvent = (position: number, workflowId: string): WebhookEvent => ({
  ...{ id: `evt_${position}`, type: 'payment.settled', resource: 'payment', uid: workflowId, workflowId },
  ...{ place: place(position), body: '{}' },
});
const aWait = (workflowId: string, position: number): WaitingResource => ({
  ...{ workflowId, place: place(position), attempts: 1, since: 0, nextAt: 0 },
});

/** What is recorded, up to where it can be read. */
let feed: WebhookEvent[];
let cursor: Round['cursor'];
let waiting: Map<string, WaitingResource>;
let sent: string[];
let attention: Round['endpoint']['attention'];
let stored: WebhookProgress | undefined;
beforeEach(() => {
  feed = [];
  cursor = { id: 'live', place: place(5), hasNew: true } as Round['cursor'];
  waiting = new Map();
  [sent, attention, stored] = [[], [], undefined];
});

const page = (found: readonly WebhookEvent[], limit: number, end: EventPlace) => {
  const events = found.slice(0, limit);
  const isNewest = found.length < limit;
  return Promise.resolve({ events, isNewest, next: isNewest ? end : (events.at(-1)?.place ?? end) });
};
const rows: Partial<WebhookRows> = {
  nextEvents: (_, { place: after }, limit) =>
    page(
      feed.filter((one) => isAfter(one.place, after)),
      limit,
      feed.at(-1)?.place ?? after,
    ),
  waitingEvents: (_, { place: until }, { workflowId, place: after }, limit) =>
    page(
      feed.filter(
        (one) => one.workflowId === workflowId && isAfter(one.place, after) && !isAfter(one.place, until),
      ),
      limit,
      until,
    ),
  storeProgress: (progress) => {
    stored = progress;
    cursor = { ...cursor, place: progress.place };
    return Promise.resolve();
  },
};

const deliver = (
  options: Partial<WebhookRows> = {},
  now = 1,
  isTaken: (id: string) => boolean = () => true,
) =>
  deliverRound({
    ...{ rows: { ...rows, ...options } as WebhookRows, cursor, lease: 'l', waiting },
    ...{ now: () => now, random: () => 0.5, isStopping: () => false },
    endpoint: { id: 'we', cursors: [cursor], attention } as unknown as Round['endpoint'],
    send: ({ id }) => {
      sent.push(id);
      return Promise.resolve(
        isTaken(id)
          ? { isDelivered: true, status: 200, durationMs: 1 }
          : { isDelivered: false, status: 500, problem: 'status', durationMs: 1 },
      );
    },
  });

const wait = (count: number): void => {
  for (let number = 1; number <= count; number += 1) waiting.set(`w${number}`, aWait(`w${number}`, 0));
};

test('a resource that waited continues with its events that the cursor passes in the same round', async () => {
  waiting.set('a', aWait('a', 1));
  feed = [anEvent(2, 'a'), anEvent(6, 'a'), anEvent(7, 'b')];
  await deliver();
  expect(sent.toSorted()).toEqual(['evt_2', 'evt_7']);
  const left = [{ workflowId: 'a', place: place(5), attempts: 0, since: 1, nextAt: 1 }];
  expect(stored).toMatchObject({ place: place(7), resumed: [], waiting: left });
  expect([...waiting.values()]).toEqual(left);
});

test('no event is lost or overtakes another of its resource, however events and failures fall together', async () => {
  let seed = 58;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const taken: string[] = [];
  for (let round = 1; round <= 400; round += 1) {
    for (let number = 1; number <= 3 && round <= 200; number += 1)
      feed.push(anEvent(feed.length + 6, `w${Math.floor(random() * 9)}`));
    await deliver({}, round * 1e6, (id) => {
      const isTaken = round > 350 || random() > 0.3;
      if (isTaken) taken.push(id);
      return isTaken;
    });
  }
  for (const { workflowId } of feed) {
    const ids = feed.filter((event) => event.workflowId === workflowId).map(({ id }) => id);
    expect(taken.filter((id) => ids.includes(id))).toEqual(ids);
  }
  expect(waiting.size).toBe(0);
});

test('however slowly events are read, each round sends some', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  wait(30);
  const waitingEvents: WebhookRows['waitingEvents'] = (_, __, { workflowId }) => {
    vi.advanceTimersByTime(2000);
    return page([anEvent(1, workflowId)], 20, place(5));
  };
  await deliver({ waitingEvents });
  expect(sent.length).toBeGreaterThanOrEqual(CONNECTIONS);
});

test('resources that wait leave half of the connections to others', async () => {
  wait(30);
  feed = [...waiting.keys()].map((workflowId, number) => anEvent(number / 100 + 1, workflowId));
  feed.push(anEvent(6, 'other'));
  await deliver();
  expect(sent).toHaveLength(CONNECTIONS / 2 + 1);
  expect(sent).toContain('evt_6');
});

test.each([
  [1, 'failed', 5001],
  [GIVES_UP_AFTER_MS, 'set_aside', undefined],
])(
  'an event that cannot be read is tried again for three days (after %s ms)',
  async (now, outcome, nextAt) => {
    waiting.set('a', { ...aWait('a', 1), attempts: nextAt === undefined ? 9 : 0 });
    feed = [{ ...anEvent(2, 'a'), body: undefined }, anEvent(6, 'b')];
    await deliver({}, now);
    expect(sent).toEqual(['evt_6']);
    const ofIt = stored?.attempts.find(({ event }) => event.id === 'evt_2');
    expect(ofIt).toMatchObject({ outcome, answer: { problem: 'unreadable' } });
    expect(stored).toMatchObject({ failingSince: undefined, disabled: undefined });
    expect(waiting.get('a')?.nextAt).toBe(nextAt);
  },
);

test('if too many resources wait, the next events are not read, and one round says so', async () => {
  for (const one of Array.from({ length: MOST_WAITING }, (_, number) => `w${number}`))
    waiting.set(one, { ...aWait(one, 1), nextAt: 9 });
  feed = [anEvent(6, 'other')];
  expect(await deliver()).toBe(true);
  expect(stored).toMatchObject({ mostWaiting: MOST_WAITING, place: place(5), attempts: [] });
  attention = [{ code: 'undelivered', since: '', detail: '', next: '' }];
  expect([await deliver(), sent]).toEqual([false, []]);
});
