import { expect, onTestFinished, test } from 'vitest';
import { createEventTail } from '../../../api/http/event-tail.js';
import { anApi } from '../../support/api/app.js';
import { anEvent, recordEvents } from '../../support/api/events.js';
import type { EventFilter, RecordedEvent } from '../../../records/events.js';
import type { Place } from '../../../records/feed.js';

const place = (position: number): Place => [1, '700', position];

async function aTail(events: RecordedEvent[]) {
  const api = anApi();
  recordEvents(api, events);
  const { temporal, bridge, ...rest } = api.dependencies;
  let passedMs = 0;
  const clock = { now: () => passedMs, pause: rest.clock.pause };
  const tail = createEventTail({ events: temporal.events, stopping: bridge.stopping, ...rest, clock });
  const follower = tail.follow();
  onTestFinished(follower.stop);
  const read = (after: number, filter: EventFilter = {}, limit = 10) => {
    const page = follower.read({ after: place(after), filter, limit });
    return page && { ids: page.events.map(({ id }) => id), next: page.next, isNewest: page.isNewest };
  };
  await expect.poll(() => read(events.length)?.isNewest).toBe(true);
  const pass = (ms: number) => void (passedMs += ms);
  return { api, tail, follower, read, pass };
}

test('a follower gets what matches its filter, and moves past the rest', async () => {
  const events = [anEvent(1)];
  const { read } = await aTail(events);
  events.push(
    anEvent(2, { type: 'payment.failed' }),
    anEvent(3, { connectionId: undefined }),
    anEvent(4, { resource: 'refund', uid: 'ref-1' }),
    anEvent(5),
  );
  await expect.poll(() => read(1)?.ids).toHaveLength(4);
  expect(read(1, { types: ['payment.settled'], connections: ['acme'] }, 1)).toEqual({
    ...{ ids: ['evt_4'], next: place(4), isNewest: false },
  });
  expect(read(4, { resource: 'refund' })).toEqual({ ids: [], next: place(5), isNewest: true });
  expect(read(1, { uid: 'ref-1' })?.ids).toEqual(['evt_4']);
  expect(read(9)).toEqual({ ids: [], next: place(9), isNewest: true });
});

test('a follower that is behind what the tail has must read the records', async () => {
  const events = [anEvent(1)];
  const { read } = await aTail(events);
  expect(read(0)).toBeUndefined();
  for (let position = 2; position <= 3000; position += 1) events.push(anEvent(position));
  await expect.poll(() => read(2999)?.ids).toEqual(['evt_3000']);
  expect(read(999)).toBeUndefined();
  expect(read(1000)?.next).toEqual(place(1010));
});

test('events are forgotten after a minute, because the records may have erased them', async () => {
  const events = [anEvent(1)];
  const { read, pass } = await aTail(events);
  events.push(anEvent(2));
  await expect.poll(() => read(1)?.ids).toEqual(['evt_2']);
  pass(59_000);
  events.push(anEvent(3));
  await expect.poll(() => read(1)?.ids).toEqual(['evt_2', 'evt_3']);
  pass(2000);
  expect([read(1), read(2)?.ids]).toEqual([undefined, ['evt_3']]);
});

test('the records are read only while there are followers', async () => {
  const { api, tail, follower } = await aTail([]);
  const { newest } = api.door.events;
  const another = tail.follow();
  follower.stop();
  follower.stop();
  expect(another.read({ after: place(9), filter: {}, limit: 1 })).toBeDefined();
  another.stop();
  const later = tail.follow();
  onTestFinished(later.stop);
  expect(later.read({ after: place(9), filter: {}, limit: 1 })).toBeUndefined();
  await expect.poll(() => newest.mock.calls.length).toBe(2);
});
