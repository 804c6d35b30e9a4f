// How long an answer asks us to wait (RFC 9110, 10.2.3 and 5.6.7), and for how long we are silent after it.
import { expect, test } from 'vitest';
import { pauseMs, retryAfterMs } from '../../../payments-api/http/headers.js';

const NOW = Date.parse('2026-09-10T00:00:00Z');
const DAY = 86_400_000;

test.each([
  ['0', 0],
  ['7', 7000],
  [' 7 ', 7000],
  ['86400', DAY],
  ['86401', DAY],
  ['9'.repeat(400), DAY],
  ['Thu, 10 Sep 2026 00:01:30 GMT', 90_000],
  ['Thursday, 10-Sep-26 00:01:30 GMT', 90_000],
  ['Thu Sep 10 00:01:30 2026', 90_000],
  ['Wed, 09 Sep 2026 00:00:00 GMT', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Fri, 10 Sep 2027 00:00:00 GMT', DAY],
])('takes %j for %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

test('reads a date of one digit as it is written with a blank before it', () => {
  expect(retryAfterMs('Wed Sep  9 23:59:00 2026', NOW)).toBe(0);
  expect(retryAfterMs('Thu Oct  1 00:00:00 2026', NOW)).toBe(DAY);
});

test.each([
  null, '', 'soon', '-5', '1.5', '5s', '5, 10', '0x10', '١', 'Infinity', 'NaN', '2026-09-10T00:01:30Z',
  'Thu, 10 Sep 2026 00:01:30', 'Thu, 10 Sep 2026 00:01:30 +1000', 'Thu, 99 Xyz 2026 00:01:30 GMT', 'Thu, 10 Sep 2026 25:00:00 GMT',
])('makes nothing of %j', (header) => {
  expect(retryAfterMs(header, NOW)).toBeUndefined();
}); // prettier-ignore

const pauseOf = (status: number, header?: string): number =>
  pauseMs({ status, headers: new Headers(header === undefined ? {} : { 'retry-after': header }) }, NOW);

test.each([
  [429, '5', 5000],
  [429, undefined, 1000],
  [429, 'soon', 1000],
  [429, '0', 0],
  [429, 'Thu, 10 Sep 2026 00:01:30 GMT', 90_000],
  [503, '5', 5000],
  [503, undefined, 0],
  [503, 'soon', 0],
] as const)('after a %i with Retry-After %j we are silent for %i ms', (status, header, expected) => {
  expect(pauseOf(status, header)).toBe(expected);
});

test.each([429, 503])('no %i silences us for longer than an hour', (status) => {
  expect(pauseOf(status, '3601')).toBe(3_600_000);
  expect(pauseOf(status, '999999999')).toBe(3_600_000);
});

test.each([200, 201, 202, 301, 400, 401, 403, 404, 409, 422, 500, 502, 504])(
  'a %i silences nobody, whatever it asks for',
  (status) => {
    expect(pauseOf(status, '5')).toBe(0);
  },
);
