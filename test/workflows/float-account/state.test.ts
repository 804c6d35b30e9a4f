import { viewOf } from '../../../workflows/float-account/view.js';
import { expect, test } from 'vitest';
import { FLOAT_ACCOUNT_RECORD } from '../../../workflows/float-account/records.js';
import * as states from '../../../workflows/float-account/state.js';
import type { FloatReading } from '../../../domain/float/account.js';
import type { FloatAccountState } from '../../../workflows/float-account/contract.js';

const day = (count: number): string => new Date(Date.UTC(2026, 9, count)).toISOString();
const PLACE = { at: day(1), ends: [] };
const BREAK = { at: day(2), beforeId: 'e1', afterId: 'e3', expected: 1, found: 2 };
const reading = (over: Partial<FloatReading> = {}): FloatReading => ({
  ...{ account: {}, entryCount: 2, unreadable: 0, isGap: false, breaks: [], checkedFrom: PLACE.at },
  progress: { isRead: true, newest: { id: 'e3', at: day(2) }, chain: PLACE },
  ...over,
});
const BROKEN = reading({
  breaks: [BREAK],
  progress: { isRead: true, newest: { id: 'e3', at: day(2) }, chain: PLACE, beforeBreak: PLACE },
});
const NEW = states.newFloatAccount({ uid: 'float-1', connectionId: 'acme' }, day(1));
const broken = states.applyReading(NEW, BROKEN, day(3));
const codes = ({ attention }: FloatAccountState): string[] => attention.map(({ code }) => code);
const changes = (before: FloatAccountState, after: FloatAccountState): string[] =>
  FLOAT_ACCOUNT_RECORD.changes(before, after).map(({ name }) => name);
const acknowledged = (state: FloatAccountState, at: string): FloatAccountState =>
  states.applyAcknowledgement(state, { by: 'ops', reason: 'compared', at });

test('a break is read again for seven days, and a check without it makes the chain whole', () => {
  expect(viewOf(broken)).toMatchObject({ chain: 'broken', chainSince: day(3) });
  expect(codes(broken)).toEqual(['float_chain']);
  expect(states.againOf(broken, day(9))).toEqual({
    ...{ from: PLACE.at, place: PLACE, until: day(10), brokenAt: ['e3'] },
  });
  expect(states.againOf(broken, day(10))).toBeUndefined();
  const mended = states.applyReading(broken, reading(), day(4));
  expect(viewOf(mended)).toMatchObject({ chain: 'whole', breaks: [{ mendedAt: day(4) }] });
  expect(codes(mended)).toEqual([]);
  expect(changes(broken, mended)).toEqual(['chain_mended', 'chain_whole', 'float_chain']);
});

test('an old break that a check cannot find does not make the next look come at once', () => {
  const place = { at: day(11), ends: [] };
  const later = states.applyReading(
    broken,
    reading({
      ...{ breaks: [{ ...BREAK, at: day(12), beforeId: 'e4', afterId: 'e5' }], checkedFrom: day(11) },
      progress: { isRead: true, newest: { id: 'e5', at: day(12) }, chain: place, beforeBreak: place },
    }),
    day(12),
  );
  expect(states.againOf(later, day(12))).toMatchObject({ place, brokenAt: ['e5'] });
});

test('a check that starts behind a break leaves it, and so does an acknowledgement, which ends the readings', () => {
  const later = states.applyReading(broken, reading({ checkedFrom: day(3) }), day(4));
  expect(viewOf(later)).toMatchObject({ chain: 'broken' });
  const after = acknowledged(broken, day(4));
  expect(states.againOf(after, day(5))).toBeUndefined();
  expect([viewOf(after).chain, codes(after)]).toEqual(['broken', []]);
});

test('an entry that is gone stays flagged when a break is mended, until it is acknowledged', () => {
  const gone = states.applyReading(broken, { ...BROKEN, isGap: true }, day(4));
  const mended = states.applyReading(gone, reading(), day(5));
  expect(mended.attention).toMatchObject([
    { code: 'float_chain', detail: expect.stringContaining('no longer lists') as string },
  ]);
  expect(codes(acknowledged(mended, day(6)))).toEqual([]);
});

test('a requested reading is recorded once, reads from before a break, and ends with its own reading', () => {
  const request = (state: FloatAccountState, from?: string): FloatAccountState =>
    states.applyReadingRequest(state, { from, by: 'ops', reason: 'case 7' }, day(5));
  const requested = request(broken, day(4));
  expect(request(requested, day(5))).toBe(requested);
  expect(changes(broken, requested)).toEqual(['reading_requested']);
  expect(states.againOf(requested, day(5))).toEqual({ from: PLACE.at, place: PLACE, brokenAt: ['e3'] });
  const all = request(requested);
  expect(states.againOf(all, day(5))).toEqual({ from: undefined, place: undefined, brokenAt: ['e3'] });
  expect(states.applyReading(all, reading(), day(6), requested.reading).reading).toEqual(all.reading);
  expect(states.applyReading(all, reading(), day(6), all.reading).reading).toBeUndefined();
});

test('a reading of a blocked account is refused with what to do', () => {
  const blocked = states.block(broken, 'forbidden', day(5));
  expect(() => states.assertReadable(blocked)).toThrow(/must consent again/);
});
