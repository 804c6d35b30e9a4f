import { readFile } from 'node:fs/promises';
import { expect, test, describe } from 'vitest';
import {
  businessDayOnOrBefore,
  holidaysWarning,
  isBusinessDay,
  nextBusinessDay,
} from '../../../domain/time/business-days.js';
import { holidayTable } from '../../../tools/holidays/table.js';
import { POLL_INTERVALS, waitMs } from '../../../domain/time/poll-intervals.js';

test('the table of holidays is what its generator writes', async () => {
  const file = new URL('../../../domain/time/holidays.ts', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(holidayTable());
});

test.each([
  ['an ordinary weekend', '2026-10-09', '2026-10-12'],
  ['Christmas, a weekend, and the day for Boxing Day', '2026-12-24', '2026-12-29'],
  ['Christmas and Boxing Day on a weekend', '2027-12-24', '2027-12-29'],
  ['New Year’s Day on a Saturday', '2027-12-31', '2028-01-04'],
  ['Australia Day on a Saturday', '2030-01-25', '2030-01-29'],
  ['Easter', '2027-03-25', '2027-03-30'],
  ['Anzac Day on a Saturday in 2026', '2026-04-24', '2026-04-28'],
  ['Anzac Day on a Sunday in 2027', '2027-04-23', '2027-04-27'],
  ['Anzac Day on a Sunday without an order', '2032-04-23', '2032-04-26'],
  ['the King’s Birthday', '2026-06-05', '2026-06-09'],
  ['the Bank Holiday', '2026-07-31', '2026-08-04'],
  ['Labour Day', '2026-10-02', '2026-10-06'],
  ['a weekend after the table', '2033-12-23', '2033-12-26'],
])('banks pause for %s', (_what, before, next) => {
  expect(nextBusinessDay(before)).toBe(next);
  expect([isBusinessDay(before), isBusinessDay(next)]).toEqual([true, true]);
  expect(businessDayOnOrBefore(new Date(Date.parse(next) - 1).toISOString().slice(0, 10))).toBe(before);
});

test('a warning starts a year before the table ends', () => {
  expect(holidaysWarning('2032-01-01')).toBeUndefined();
  expect(holidaysWarning('2032-01-02')).toContain('ends on 2032-12-31');
});

describe('poll intervals', () => {
  test.each([
    ['payer_decision', [15, 60, 300, 900, 3600, 21_600, 21_600]],
    ['payment', [5, 15, 40, 120, 600, 3600, 3600]],
  ] as const)('of %s grow as documented', (name, seconds) => {
    expect(seconds.map((_, index) => waitMs(name, index + 1, 0.5) / 1000)).toEqual(seconds);
  });

  test('of an overdue decision are 30 minutes for a day, then 6 hours', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitMs('overdue', index + 1, 0.5) / 60_000);
    expect(waits).toEqual([...Array.from({ length: 48 }, () => 30), 360, 360]);
  });

  test('vary by ten percent in both directions', () => {
    for (const name of Object.keys(POLL_INTERVALS)) {
      if (name !== 'payment') continue;
      expect([waitMs(name, 1, 0), waitMs(name, 1, 1)]).toEqual([4500, 5500]);
    }
  });
});
