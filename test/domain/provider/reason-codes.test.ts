import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REASON_CODES, UNKNOWN_CODE_NEXT, adviceOn } from '../../../domain/provider/reason-codes.js';
import { errorRow } from '../../../payments-api/error-table.js';
import { FAILURE_CODES } from '../../../sandbox/store/payment.schema.js';

const page = await readFile(new URL('../../../docs/provider.md', import.meta.url), 'utf8');
const reasons = page.slice(
  page.indexOf('Reasons of a decline are'),
  page.indexOf('### Events of agreements'),
);
const NAMED = [...reasons.matchAll(/\b[A-Z]{2,5}\d{0,2}\b/g)].map(([code]) => code);

test('every code of a decline, a suspension, a cancellation and a failure has a row', () => {
  expect(NAMED).toContain('MSUC');
  expect([...NAMED, ...FAILURE_CODES].filter((code) => !REASON_CODES.has(code))).toEqual([]);
  for (const { means, next, payer } of REASON_CODES.values())
    for (const text of [means, next, payer ?? means]) expect(text).toMatch(/^[A-Z][^\n]{7,180}\.$/);
});

test('a code that is new is said to be so; words that came with a code stand; our own codes have no more than they bring', () => {
  expect(adviceOn({ code: 'ZZ99' })).toEqual({ next: UNKNOWN_CODE_NEXT });
  expect(adviceOn({ code: 'ZPCAN00', next: 'Look.' })).toEqual({ next: 'Look.' });
  expect(adviceOn({ code: 'withdrawn' })).toEqual({});
  expect(adviceOn({})).toEqual({});
});

test('a code that a request is refused with, and that comes as a failure as well, has one owner', () => {
  const both = [...REASON_CODES].filter(([code]) => errorRow(code) !== undefined);
  expect(both).toHaveLength(5);
  for (const [code, { next }] of both) expect(errorRow(code)?.advice).toBe(next);
});
