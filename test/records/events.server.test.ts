import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readEvent, readEvents, type EventFilter } from '../../records/events.js';
import { storeOwnEvent } from '../../records/own-events.js';
import { createRecords } from '../../records/write.js';
import { aPaymentBatch, aPaymentView, anEntry } from '../support/a-batch.js';
import { opened } from '../support/database.js';
import { KEYRING, eventually } from '../support/temporal.js';
import type { RecordBatch } from '../../domain/records/batch.js';

const AT = '2026-11-01T02:03:04.000Z';

const state = (sequence: number, number: number, [name, from]: [string, string?], over = {}) =>
  anEntry(sequence, {
    ...{ kind: 'state', name, factId: undefined, data: { from } },
    event: { number, ...over },
  });

function records() {
  const of = { db: opened(inject('recordsUrl')).db, keyring: KEYRING };
  const all = (filter: EventFilter, count: number) =>
    eventually(
      async () => (await readEvents(of, { filter, limit: 100 })).events,
      ({ length }) => length >= count,
    );
  return { ...of, ...createRecords(of), all };
}

test('each event has the view of its own state, and the view before', async () => {
  const { write, all } = records();
  const first = aPaymentView({ state: 'requested' });
  const batch = aPaymentBatch({
    entries: [
      state(1, 1, ['requested'], { view: first }),
      anEntry(2),
      state(3, 2, ['settled', 'requested'], {
        cause: { source: 'webhook', type: 'settled', factId: 'event-2' },
      }),
    ],
    row: { version: 4, at: AT, view: aPaymentView() },
  });
  await write(batch);
  const events = await all({ uid: batch.uid }, 2);
  expect(events).toMatchObject([
    {
      type: 'payment.requested',
      version: 1,
      view: { state: 'requested' },
      previousView: undefined,
      cause: undefined,
    },
    {
      type: 'payment.settled',
      version: 3,
      connectionId: 'acme',
      view: { state: 'settled' },
      previousView: { state: 'requested' },
    },
  ]);
  expect(events[1]?.cause).toEqual({ source: 'webhook', type: 'settled', factId: 'event-2' });
  const [, settled] = events;
  expect(await readEvent({ db: records().db, keyring: KEYRING }, settled?.id ?? '')).toEqual(settled);
});

test('an event that was damaged is marked, and only a missing key stops the page', async () => {
  const { write, all, ...of } = records();
  const batch = aPaymentBatch({
    entries: [1, 2, 3].map((n) => state(n, n, n === 1 ? ['requested'] : ['settled', 'requested'])),
    row: { version: 4, at: AT, view: aPaymentView() },
  });
  await write(batch);
  const { uid } = batch;
  const [, second] = await all({ uid }, 3);
  const owner = opened(inject('recordsAdminUrl')).db;
  const change = (to: object) =>
    owner
      .updateTable('entries')
      .set(to)
      .where('event_id', '=', second?.id ?? '')
      .execute();
  const stored = await of.db
    .selectFrom('entries')
    .select(['sealed', 'key_id'])
    .where('event_id', '=', second?.id ?? '')
    .executeTakeFirstOrThrow();
  onTestFinished(() => change(stored).then(() => undefined));
  await change({ sealed: sql`set_byte(sealed, 20, 255 - get_byte(sealed, 20))` });
  const [first, damaged, third] = await all({ uid }, 3);
  expect(first?.unreadable).toBeUndefined();
  expect(damaged).toMatchObject({ id: second?.id, view: {}, previousView: first?.view });
  expect(damaged?.unreadable?.event).toMatchObject({ code: 'not_authentic' });
  expect(third?.view).toEqual(second?.view);
  expect(third).toMatchObject({ previousView: {}, unreadable: { event: undefined } });
  await change({ key_id: 'elsewhere' });
  await expect(readEvents(of, { filter: { uid }, limit: 9 })).rejects.toMatchObject({ code: 'unknown_key' });
});

test('a repeated task makes the same events at the same places', async () => {
  const { write, all } = records();
  const batch = aPaymentBatch({ entries: [state(1, 1, ['requested'])] });
  const next = (sequence: number): RecordBatch => ({
    ...batch,
    ...{ follows: 2, taskFollows: 2, entries: [state(sequence, 2, ['settled', 'requested'])] },
    row: { ...batch.row, version: sequence + 1 },
  });
  await write(batch);
  await write(next(11));
  const before = await all({ uid: batch.uid }, 2);
  await write(next(21));
  const after = await all({ uid: batch.uid }, 2);
  const idOf = ({ id, place }: (typeof after)[number]) => ({ id, place });
  expect(after.map(idOf)).toEqual(before.map(idOf));
  expect(new Set(after.map(({ id }) => id)).size).toBe(2);
});

test('an empty page stays at the last event: after a crash, later transactions can have smaller ids', async () => {
  const { write, all, ...of } = records();
  const batch = aPaymentBatch({ entries: [state(1, 1, ['requested'])] });
  await write(batch);
  const filter = { uid: batch.uid };
  const [event] = await all(filter, 1);
  const page = await readEvents(of, { filter, after: event?.place, limit: 5 });
  expect(page).toMatchObject({ events: [], isNewest: true, next: event?.place });
});

test('pages follow the feed with filters, and an empty page moves on', async () => {
  const { write, all, ...of } = records();
  const connectionId = `con-${crypto.randomUUID()}`;
  const batches = [1, 2, 3].map((n) =>
    aPaymentBatch({ connectionId, entries: [state(1, n, [n === 2 ? 'failed' : 'settled', 'pending'])] }),
  );
  for (const batch of batches) await write(batch);
  const whole = await all({ connections: [connectionId] }, 3);
  const filter: EventFilter = { connections: [connectionId], types: ['payment.settled'] };
  const one = await readEvents(of, { filter, limit: 1 });
  expect(one).toMatchObject({ isNewest: false, events: [{ uid: batches[0]?.uid }] });
  const two = await readEvents(of, { filter, after: one.next, limit: 5 });
  expect(two).toMatchObject({ isNewest: true, events: [{ uid: batches[2]?.uid }] });
  const until = whole[1]?.place;
  expect(
    (await readEvents(of, { filter: { connections: [connectionId] }, until, limit: 5 })).events,
  ).toHaveLength(2);
  expect((await readEvents(of, { filter, after: two.next, limit: 5 })).events).toEqual([]);
});

test('an event without a workflow is stored once', async () => {
  const { all, ...of } = records();
  const uid = crypto.randomUUID();
  const event = {
    ...({ type: 'settlement.reported', resource: 'settlement', uid, connectionId: 'acme' } as const),
    ...{ at: new Date(AT), what: 'checksum', view: { lineCount: 3 } },
  };
  await storeOwnEvent(of, event);
  await storeOwnEvent(of, event);
  await storeOwnEvent(of, { ...event, what: 'another' });
  const events = await all({ uid }, 2);
  expect(events.map(({ view, previousView }) => [view, previousView])).toEqual([
    [{ lineCount: 3 }, undefined],
    [{ lineCount: 3 }, { lineCount: 3 }],
  ]);
  const { rows } = await sql`select 1 from entries where uid = ${uid}`.execute(of.db);
  expect(rows).toHaveLength(2);
});
