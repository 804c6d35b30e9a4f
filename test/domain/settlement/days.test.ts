import { describe, expect, test } from 'vitest';
import { daysToFetch, lastDueDay, reportDueAt, reportLateAt } from '../../../domain/settlement/days.js';
import {
  absentState,
  proposalsFor,
  whatToDo,
  type ReconciliationException,
} from '../../../domain/settlement/reconciliation.js';

const FRIDAY = '2026-10-02';

describe('the report of a day', () => {
  test('of 24 December 2026 is late only after 29 December', () => {
    expect(reportLateAt('2026-12-24')).toBe('2026-12-29T13:00:00.000Z');
  });

  test('is due and late by Sydney’s clocks, before the change to summer time and on the day after Labour Day', () => {
    expect([reportDueAt('2026-10-01'), reportLateAt('2026-10-01')]).toEqual([
      ...['2026-10-01T14:00:00.000Z', '2026-10-02T14:00:00.000Z'],
    ]);
    expect([reportDueAt(FRIDAY), reportLateAt(FRIDAY)]).toEqual([
      ...['2026-10-05T13:00:00.000Z', '2026-10-06T13:00:00.000Z'],
    ]);
    const states = ['2026-10-05T12:59:59Z', '2026-10-05T13:00:00.000Z', '2026-10-06T13:00:00.000Z'];
    expect(states.map((now) => absentState(FRIDAY, now))).toEqual(['not_due', 'awaited', 'late']);
  });

  test('of the last day that is due is that of the day before the newest business day', () => {
    const now = ['2026-10-02T02:00:00Z', '2026-10-05T12:59:59Z', '2026-10-05T13:00:00.000Z'];
    expect(now.map(lastDueDay)).toEqual(['2026-10-01', '2026-10-01', '2026-10-05']);
  });

  test('is fetched until it is stored, and compared once a day for a week', () => {
    const now = '2026-10-06T02:00:00.000Z';
    const since = '2026-10-01T02:00:00.000Z';
    expect(daysToFetch(now, since, [])).toEqual([
      '2026-10-01',
      FRIDAY,
      '2026-10-03',
      '2026-10-04',
      '2026-10-05',
    ]);
    const stored = (day: string, state: string, fetchedAt: string) => [{ day, state, fetchedAt }];
    const left = (found: ReturnType<typeof stored>) => daysToFetch(now, since, found).includes(FRIDAY);
    expect(left(stored(FRIDAY, 'stored', '2026-10-06T01:00:00.000Z'))).toBe(false);
    expect(left(stored(FRIDAY, 'stored', '2026-10-05T01:00:00.000Z'))).toBe(true);
    expect(left(stored(FRIDAY, 'unreadable', '2026-10-06T01:00:00.000Z'))).toBe(true);
    const later = daysToFetch('2026-12-01T02:00:00.000Z', since, stored(FRIDAY, 'stored', since));
    expect(later[0]).toBe('2026-10-31');
  });
});

test('a proposal has the same amount on the other side, the nearest first', () => {
  const exception = (over: Partial<ReconciliationException>): ReconciliationException => ({
    ...{ kind: 'unknown_here', connectionId: 'acme', resource: 'payment', uid: 'x', line: 1 },
    ...{ settledAmount: undefined, reportedAmount: 500, floatAmount: undefined },
    otherConnectionId: undefined,
    settledAt: '2026-10-01T02:00:00.000Z',
    ...over,
  });
  const missing = exception({
    kind: 'missing_in_report',
    uid: 'ours',
    settledAmount: 500,
    reportedAmount: undefined,
  });
  const all = [
    exception({ uid: 'late', settledAt: '2026-10-01T05:00:00.000Z' }),
    exception({ uid: 'near' }),
    exception({ uid: 'other-amount', reportedAmount: 400 }),
    exception({ uid: 'refund', resource: 'refund' }),
    exception({ uid: 'elsewhere', connectionId: 'other' }),
    exception({ uid: 'differs', kind: 'amounts_differ' }),
    missing,
  ];
  expect(whatToDo(missing)).toContain('POST /v1/payments/ours/look-up');
  expect(proposalsFor(missing, all)).toEqual(['near', 'late']);
  expect(proposalsFor(exception({ kind: 'repeated_line' }), all)).toEqual([]);
});
