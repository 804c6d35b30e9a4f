import { expect, test } from 'vitest';
import { REASON_CODES, UNKNOWN_CODE_NEXT, adviceOn } from '../../../domain/provider/reason-codes.js';
import { errorRow } from '../../../payments-api/error-table.js';

test('every row has a title and complete sentences', () => {
  expect(REASON_CODES.size).toBe(136);
  for (const { title, means, next, payer } of REASON_CODES.values()) {
    expect(title).toMatch(/^[A-Z].{5,}[^.]$/);
    for (const text of [means, next, payer ?? means]) expect(text).toMatch(/^[A-Z][^\n]{7,180}\.$/);
  }
});

test('unknown codes get general advice, and supplied advice is preserved', () => {
  expect(adviceOn({ code: 'ZZ99' })).toEqual({ next: UNKNOWN_CODE_NEXT });
  expect(adviceOn({ code: 'ZPCAN00', next: 'Look.' })).toEqual({ next: 'Look.' });
  expect(adviceOn({ code: 'withdrawn' })).toEqual({});
  expect(adviceOn({})).toEqual({});
});

test('codes used both for refusals and failures have the same advice', () => {
  const both = [...REASON_CODES].filter(([code]) => errorRow(code) !== undefined);
  expect(both).toHaveLength(8);
  for (const [code, { next }] of both) expect(errorRow(code)?.advice).toBe(next);
});
