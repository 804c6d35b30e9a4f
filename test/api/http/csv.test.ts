import { expect, test } from 'vitest';
import { csvOf } from '../../../api/http/csv.js';

const textIn = (text: string): string => csvOf(['text'], [{ text }], false).slice(0, -2);

test.each([
  '=1+1',
  '+61',
  '-1',
  '@x',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '＝1',
  '\uFEFF=1',
  '\u200b=1',
  '\r\n +1',
])('a spreadsheet does not read %j as a formula', (text) =>
  expect(textIn(text).replaceAll('"', '')).toBe(`'${text}`),
);

test.each(['a\n=1', ';=1', 'x;=cmd|calc', "'=1", ' to 200001-12340001', '100 = 100'])(
  '%j stays as it is',
  (text) => expect(textIn(text).replaceAll('"', '')).toBe(text),
);

test('an amount below 0 stays a number', () => {
  expect(csvOf(['amount'], [{ amount: -4200 }], false)).toBe('-4200\r\n');
});
