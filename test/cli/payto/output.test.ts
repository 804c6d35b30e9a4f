import { describe, expect, test } from 'vitest';
import { createTable, type Column } from '../../../cli/payto/table.js';
import { dollars, duration, localDay, localTime, wrapped } from '../../../cli/payto/format.js';
import { centsOf, countOf, instantOf } from '../../../cli/payto/read-arguments.js';
import { entryLines } from '../../../cli/payto/commands/timeline.js';
import type { TimelineEntry } from '../../../client/create.js';

interface Row {
  uid: string;
  amount: string;
  text: string;
  note: string;
}
const columns: readonly Column<Row>[] = [
  { title: 'UID', value: ({ uid }) => uid },
  { title: 'AMOUNT', value: ({ amount }) => amount, isNumber: true },
  { title: 'TEXT', value: ({ text }) => text, isText: true },
  { title: 'NOTE', value: ({ note }) => note },
];
const row = (over: Partial<Row> = {}): Row => ({
  ...{ uid: 'payment-0001', amount: '$42.00', text: 'a text that is fairly long', note: 'the note' },
  ...over,
});
const widthsOf = (text: string): number[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.length);

describe('a table', () => {
  test('has no limit without a terminal', () => {
    expect(createTable(columns, undefined).page([row({ amount: '$7.00' })])).toBe(
      [
        'UID           AMOUNT  TEXT                        NOTE',
        'payment-0001   $7.00  a text that is fairly long  the note',
        '',
      ].join('\n'),
    );
  });

  test.each([60, 50, 40, 30])(
    'fits %i columns: it cuts texts, then leaves out columns, and never cuts a uid',
    (width) => {
      const text = createTable(columns, width).page([row()]);
      expect(Math.max(...widthsOf(text))).toBeLessThanOrEqual(width);
      expect(text).toContain('payment-0001');
    },
  );

  test('keeps its widths on later pages, which have no titles', () => {
    const table = createTable(columns, 60);
    const [, first] = table.page([row()]).split('\n');
    const [later] = table.page([row({ uid: 'pay-2' })]).split('\n');
    expect(later?.indexOf('$42.00')).toBe(first?.indexOf('$42.00'));
    expect(later).not.toContain('UID');
  });

  test('passes no control characters to the terminal', () => {
    expect(createTable(columns, undefined).page([row({ text: '\u001b[2Jgone\nx' })])).toContain(
      '\ufffd[2Jgone x',
    );
  });
});

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

type Fact = NonNullable<TimelineEntry['fact']>;

const fact = (over: Partial<Fact>): Fact => ({
  ...{
    id: 'f-1',
    type: 'activated',
    state: null,
    authenticated: true,
    caused_by: null,
    reason: null,
    detail: null,
  },
  ...{
    published_at: '2026-11-29T14:07:11.000Z',
    received_at: '2026-11-29T14:07:11.500Z',
    late_by_seconds: 0.5,
  },
  ...{ source: 'webhook', dropped: false },
  ...over,
});
const linesOf = (over: Partial<TimelineEntry>, textWidth = 100): string[] =>
  entryLines(
    {
      ...{ sequence: 1, kind: 'fact', name: 'activated', summary: 'The payer accepted the agreement.' },
      ...{ at: '2026-11-29T14:07:11.000Z', recorded_at: null, fact: null, details: null },
      ...over,
    },
    { locale: { timeZone: 'Australia/Sydney' }, textWidth },
  );

test('an entry is a sentence at its local time', () => {
  expect(linesOf({})).toEqual(['  01:07:11  The payer accepted the agreement.']);
  expect(linesOf({ fact: fact({}) })).toEqual(linesOf({}));
});

test('a fact that arrived late has how late, and where it was read', () => {
  expect(linesOf({ fact: fact({ late_by_seconds: 7500 }) })).toEqual([
    '  01:07:11  The payer accepted the agreement. (Received 2 h 5 min later.)',
  ]);
  expect(linesOf({ fact: fact({ source: 'history', late_by_seconds: 61 }) })).toEqual([
    '  01:07:11  The payer accepted the agreement. (Read from the provider’s history 1 min 1 s later.)',
  ]);
  expect(linesOf({ fact: fact({ source: 'command', late_by_seconds: 90 }) })).toEqual(linesOf({}));
});

test('a narrow terminal gets more lines, and no control characters', () => {
  expect(linesOf({ summary: 'One two three four\u001b[31m' }, 28)).toEqual([
    '  01:07:11  One two three',
    '            four\ufffd[31m',
  ]);
});
