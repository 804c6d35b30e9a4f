import { expect, test } from 'vitest';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { ERROR_TABLE, errorRow } from '../../payments-api/error-table.js';

const CODES = Object.keys(ERROR_TABLE);
const FAMILIES = new Set(CODES.map((code) => code.replace(/\d+$/, '')));

test.each(CODES)('%s has its own row and advice of one sentence', (code) => {
  expect(errorRow(code)).not.toBe(errorRow(code.replace(/\d+$/, '77')));
  const { advice } = errorRow(code) ?? {};
  expect(advice).toMatch(/^[A-Z][^\n]{10,150}\.$/);
  expect(advice).not.toMatch(/Z[A-Z]{3,4}\d/);
});

test.each([...FAMILIES])('an unknown code of family %s gets the advice of its family', (family) => {
  const row = errorRow(`${family}77`);
  expect(row).toMatchObject({ means: 'unrecognised', advice: expect.stringMatching(/\.$/) as string });
  expect(errorRow(`${family}770`)).toBe(row);
});

test.each(['', 'ZPXXX00', 'ZPAGR', 'zpagr00', 'ZPAGR00 ', 'AM04', 'constructor', '__proto__00', 'UKNWN'])(
  '%j has no row',
  (code) => {
    expect(errorRow(code)).toBeUndefined();
  },
);

const failed = (...codes: (string | undefined)[]) =>
  new PaymentsApiError('rejected', 'm', { problems: codes.map((code) => ({ code })) });

test('an error has the meaning of its first listed code and lists all refusals', () => {
  const error = failed(undefined, 'QQ1', 'ZPCAN01', 'ZPAGR00');
  expect(error.means).toBe('already_processing');
  expect(error.advice).toBe(errorRow('ZPCAN01')?.advice);
  expect(error.refusals).toEqual(['ZPCAN01', 'ZPAGR00'].map((code) => ({ code, ...errorRow(code) })));
});

test.each([[failed()], [failed('QQ1')], [new PaymentsApiError('unavailable', 'm')]])(
  'an error without a listed code has no meaning and no refusals (case %#)',
  (error) => {
    expect(error).toMatchObject({ means: undefined, advice: undefined, refusals: [] });
  },
);
