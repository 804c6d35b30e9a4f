import { describe, expect, test } from 'vitest';
import { deadlineId, deadlinesOf, type Timed } from '../../../domain/agreement/deadline.js';
import { endOfSydneyDay } from '../../../domain/time/sydney.js';
import type { Action } from '../../../domain/agreement/action.js';

const ASKED = '2026-10-01T00:00:00.000Z';
const timed = (over: Partial<Timed> = {}): Timed => ({
  state: 'created',
  requestedAt: ASKED,
  mandate: {},
  actions: [],
  ...over,
});
const amendment: Action = {
  key: 'a',
  command: { kind: 'amendment', body: { changes: {} } },
  requestedAt: ASKED,
  after: undefined,
  priorIds: [],
  stage: 'accepted',
  acceptedAt: '2026-10-02T00:00:00.000Z',
};
const names = (of: Timed) => deadlinesOf(of).map(({ name }) => name);

describe('agreement deadlines', () => {
  test.each(['pending', 'created'] as const)('five days after the request while %s', (state) => {
    expect(deadlinesOf(timed({ state }))).toEqual([
      { name: 'payer_decision', at: '2026-10-06T00:00:00.000Z' },
    ]);
  });

  test('a requested resolution time comes before the payer’s decision', () => {
    const mandate = { resolution_requested_before: '2026-10-03T12:00:00+10:00' };
    expect(deadlinesOf(timed({ mandate }))[0]).toEqual({
      name: 'resolution',
      at: '2026-10-03T02:00:00.000Z',
    });
  });

  test('a resolution time within a second of the five days adds no deadline', () => {
    const mandate = { resolution_requested_before: '2026-10-06T00:00:00.300Z' };
    expect(names(timed({ mandate }))).toEqual(['payer_decision']);
  });

  test.each(['active', 'suspended'] as const)('the end of the Sydney day of validity while %s', (state) => {
    const mandate = { validity_end_date: '2027-01-31' };
    expect(deadlinesOf(timed({ state, mandate }))).toEqual([
      { name: 'validity_end', at: '2027-01-31T12:59:59.999Z' },
    ]);
  });

  test('an amendment has its requested resolution time and a five-day limit', () => {
    const body = { changes: {}, resolution_requested_before: '2026-10-04T00:00:00Z' };
    const of = timed({ state: 'active', actions: [{ ...amendment, command: { kind: 'amendment', body } }] });
    expect(deadlinesOf(of)).toEqual([
      { name: 'amendment_resolution', at: '2026-10-04T00:00:00.000Z' },
      { name: 'amendment_decision', at: '2026-10-07T00:00:00.000Z' },
    ]);
  });

  test('a finished amendment and an ended agreement have no deadline', () => {
    expect(names(timed({ state: 'active', actions: [{ ...amendment, stage: 'done' }] }))).toEqual([]);
    expect(names(timed({ state: 'cancelled', actions: [amendment] }))).toEqual([]);
  });

  test.each(['', 'soon', '2026-02-31T99:00:00Z'])('the invalid resolution time %j adds no deadline', (at) => {
    expect(names(timed({ mandate: { resolution_requested_before: at } }))).toEqual(['payer_decision']);
  });

  test('a deadline that moves gets a new id', () => {
    const [first] = deadlinesOf(timed());
    const [later] = deadlinesOf(timed({ requestedAt: '2026-10-02T00:00:00.000Z' }));
    if (first === undefined || later === undefined) throw new Error('expected two deadlines');
    expect(deadlineId(first)).not.toBe(deadlineId(later));
  });
});

describe('end of a Sydney day', () => {
  test.each([
    ['2026-10-03', '2026-10-03T13:59:59.999Z', 'the day before clocks go forward'],
    ['2026-10-04', '2026-10-04T12:59:59.999Z', 'the day when clocks go forward'],
    ['2027-04-03', '2027-04-03T12:59:59.999Z', 'the day before clocks go back'],
    ['2027-04-04', '2027-04-04T13:59:59.999Z', 'the day when clocks go back'],
    ['9999-12-31', '9999-12-31T12:59:59.999Z', 'the last valid date, in summer time'],
    ['0001-01-01', '0001-01-01T13:55:07.999Z', 'the first day of year 1, in local mean time'],
    ['0000-01-01', '0000-01-01T13:55:07.999Z', 'the first valid date'],
  ])('%s ends at %s: %s', (day, end) => {
    expect(endOfSydneyDay(day)).toBe(end);
  });

  test.each(['', 'tomorrow', '2026-13-01'])('the invalid date %j has no end', (day) => {
    expect(endOfSydneyDay(day)).toBeUndefined();
  });
});
