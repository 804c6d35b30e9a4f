import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  businessDayOnOrBefore,
  holidaysWarning,
  isBusinessDay,
  nextBusinessDay,
} from '../../../domain/time/business-days.js';
import { holidayTable } from '../../../tools/holidays/table.js';

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
