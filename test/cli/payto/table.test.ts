import { describe, expect, test } from 'vitest';
import { createTable, type Column } from '../../../cli/payto/table.js';

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
