import { describe, expect, test } from 'vitest';
import { readReport } from '../../../payments-api/answers/settlement-report.js';

const DAY = '2026-10-01';
const HEADER = 'uid,agreement_uid,type,amount,settled_at,reference';
const row = (uid: string, over: { amount?: string; at?: string; type?: string } = {}): string => {
  const { amount = '500', at = '2026-10-01T03:00:00+10:00', type = 'payment' } = over;
  return `${uid},agr-1,${type},${amount},${at},"INV, 5"`;
};
const csv = (...rows: string[]): string => [HEADER, ...rows, ''].join('\r\n');

describe('a settlement report', () => {
  test('is read by the names of its columns, in any order and with unknown ones', () => {
    expect(readReport(csv(row('pay-1'), row('ref-1', { type: 'refund', amount: '-20' })), DAY)).toEqual({
      state: 'stored',
      rows: [
        ...[{ number: 1, uid: 'pay-1', kind: 'payment', amount: 500, settledAt: '2026-09-30T17:00:00.000Z' }],
        ...[{ number: 2, uid: 'ref-1', kind: 'refund', amount: 20, settledAt: '2026-09-30T17:00:00.000Z' }],
      ],
    });
    const other = '\uFEFFAmount Cents;x\n'.replace(';', ',Payment-UID,') + '7,pay-2,new\n';
    expect(readReport(other, DAY).rows).toMatchObject([{ uid: 'pay-2', amount: 7, kind: undefined }]);
  });

  test('without rows is the report of a day on which nothing settled', () => {
    expect(readReport(csv(), DAY)).toEqual({ state: 'stored', rows: [] });
  });

  test.each([
    ['empty', '', 'no_header'],
    ['cut off', csv(row('pay-1'), row('pay-2')).slice(0, -40), 'not_csv'],
    ['no CSV', '"', 'not_csv'],
    ['an error page', '<html>no</html>', 'unknown_columns'],
    ['without amounts', 'uid,type\npay-1,payment\n', 'unknown_columns'],
  ])('that is %s has no rows, but a problem', (_, text, problem) => {
    expect(readReport(text, DAY)).toEqual({ state: 'unreadable', problem, rows: [] });
  });

  test('of another day has no rows; a single row of another day stays', () => {
    const elsewhere = row('pay-2', { at: '2026-10-01T23:59:59Z' });
    expect(readReport(csv(elsewhere), DAY)).toMatchObject({ state: 'other_day', rows: [] });
    expect(readReport(csv(row('pay-1'), elsewhere), DAY).rows).toHaveLength(2);
    expect(readReport(csv(row('pay-1', { at: '2026-10-02' })), DAY)).toMatchObject({ state: 'other_day' });
    expect(readReport(csv(row('pay-1', { at: DAY })), DAY).rows).toHaveLength(1);
  });

  test.each([
    ['payment_reversal', '500', 'reversal'],
    ['Refund Reversal', '500', 'reversal'],
    ['payment', '-500', 'reversal'],
    ['', '-500', 'reversal'],
    ['chargeback', '500', 'reversal'],
    ['fee', '500', 'unlisted_type'],
    ['prepayment', '500', 'unlisted_type'],
    ['refund', '-500', undefined],
  ])('a line of type %s with %s has the problem %s', (type, amount, problem) => {
    const [line] = readReport(csv(row('pay-1', { type, amount })), DAY).rows;
    expect(line).toMatchObject({ problem, amount: problem === 'reversal' ? -500 : 500 });
  });

  test('keeps a row without a usable uid, amount or time', () => {
    const { rows } = readReport(csv(row('a b'), row('pay-1', { amount: '5.00', at: 'noon' })), DAY);
    expect(rows).toMatchObject([{ uid: '' }, { uid: 'pay-1', amount: undefined, settledAt: undefined }]);
    expect(readReport(csv(row('pay-1', { amount: '0' })), DAY).rows).toMatchObject([{ amount: undefined }]);
  });
});
