import { expect, test } from 'vitest';
import { dollars, duration, localDay, localTime, wrapped } from '../../../cli/payto/format.js';
import { centsOf, countOf, instantOf } from '../../../cli/payto/read-arguments.js';

const SYDNEY = { timeZone: 'Australia/Sydney' };

test('a time is in local time with its zone, also across the change of the clocks', () => {
  expect(localTime('2026-11-29T14:07:11.000Z', SYDNEY)).toBe('30 Nov 2026, 01:07:11 AEDT');
  expect(localTime('2026-06-29T14:07:11.000Z', SYDNEY)).toBe('30 Jun 2026, 00:07:11 AEST');
  expect(localDay('2026-11-29T14:07:11.000Z', SYDNEY)).toBe('Monday 30 Nov 2026 (AEDT)');
  expect(localTime(null, SYDNEY)).toBe('–');
  expect(localTime('soon', SYDNEY)).toBe('soon');
});

test('money and durations are short', () => {
  expect([dollars(4205), dollars(-5), dollars(123_456_789), dollars(null)]).toEqual([
    ...['$42.05', '-$0.05', '$1,234,567.89', '–'],
  ]);
  expect([0.2, 59, 61, 7500, 200_000].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min 1 s',
    '2 h 5 min',
    '2 d 7 h',
  ]);
});

test('a text is wrapped between words', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapped('a-word-that-is-long x', 5)).toEqual(['a-word-that-is-long', 'x']);
});

test('times and amounts are read strictly', () => {
  const now = Date.parse('2026-11-29T14:00:00Z');
  expect(instantOf('2h', now)).toBe('2026-11-29T12:00:00.000Z');
  expect(instantOf('2026-11-12', now)).toBe(new Date(2026, 10, 12).toISOString());
  expect(instantOf('2026-11-12T09:30:00+10:00', now)).toBe('2026-11-11T23:30:00.000Z');
  expect([centsOf('42'), centsOf('$42.50'), countOf('7')]).toEqual(['4200', '4250', 7]);
  for (const wrong of ['yesterday', '2h30', '2026-13-45', '-2h', ''])
    expect(() => instantOf(wrong)).toThrow(/Expected a time/);
  for (const wrong of ['4.5', '-1', '1,000', 'x']) expect(() => centsOf(wrong)).toThrow(/Expected dollars/);
  for (const wrong of ['0', '1.5', '-1', 'x']) expect(() => countOf(wrong)).toThrow(/whole number/);
});
