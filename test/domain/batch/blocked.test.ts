import { expect, test } from 'vitest';
import { blockedRows, overdueFlag } from '../../../domain/batch/blocked.js';

const SINCE = '2026-11-01T00:00:00.000Z';
const rows = (count: number, since = SINCE) =>
  Array.from({ length: count }, (_, index) => ({ uid: `pay-${index}`, since }));

test('rows blocked for a day raise a flag that names twenty of them', () => {
  const chunks = [blockedRows(rows(30)), blockedRows([{ uid: 'late', since: '2026-11-01T12:00:00.000Z' }])];
  expect(overdueFlag(chunks, '2026-11-01T23:59:59.000Z')).toBeUndefined();
  const flag = overdueFlag(chunks, '2026-11-02T00:00:00.000Z');
  expect(flag).toMatchObject({ code: 'overdue', since: '2026-11-02T00:00:00.000Z' });
  expect(flag?.detail).toContain('pay-0, pay-1, ');
  expect(flag?.detail).toMatch(/pay-19, and 11 more\.$/);
});

test('the flag names a single blocked row without a count', () => {
  expect(overdueFlag([blockedRows(rows(1))], '2026-11-03T00:00:00.000Z')?.detail).toMatch(/stop: pay-0\.$/);
});
