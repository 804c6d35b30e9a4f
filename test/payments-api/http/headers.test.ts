import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextIn, pauseMs, retryAfterMs } from '../../../payments-api/http/headers.js';

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
])('Retry-After %j is %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

test('a single-digit day is read with a leading space', () => {
  expect(retryAfterMs('Wed Sep  9 23:59:00 2026', NOW)).toBe(0);
  expect(retryAfterMs('Thu Oct  1 00:00:00 2026', NOW)).toBe(DAY);
});

test.each([
  null,
  '',
  'soon',
  '-5',
  '1.5',
  '5s',
  '5, 10',
  '0x10',
  '١',
  'Infinity',
  'NaN',
  '2026-09-10T00:01:30Z',
  'Thu, 10 Sep 2026 00:01:30',
  'Thu, 10 Sep 2026 00:01:30 +1000',
  'Thu, 99 Xyz 2026 00:01:30 GMT',
  'Thu, 10 Sep 2026 25:00:00 GMT',
])('an invalid Retry-After %j is ignored', (header) => {
  expect(retryAfterMs(header, NOW)).toBeUndefined();
});

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
] as const)('a %i with Retry-After %j pauses calls for %i ms', (status, header, expected) => {
  expect(pauseOf(status, header)).toBe(expected);
});

test.each([429, 503])('a %i pauses calls for at most an hour', (status) => {
  expect(pauseOf(status, '3601')).toBe(3_600_000);
  expect(pauseOf(status, '999999999')).toBe(3_600_000);
});

test.each([200, 201, 202, 301, 400, 401, 403, 404, 409, 422, 500, 502, 504])(
  'a %i never pauses calls',
  (status) => {
    expect(pauseOf(status, '5')).toBe(0);
  },
);

describe('next page link', () => {
  test.each([
    ['in quotes', '</a?page=2>; rel="next"'],
    ['without quotes', '</a?page=2>; rel=next'],
    ['without spaces', '</a?page=2>;rel=next'],
    ['with many spaces', '  </a?page=2>  ;   rel  =  "next"  '],
    ['in capitals', '</a?page=2>; REL="NEXT"'],
    ['among several relations', '</a?page=2>; rel="prev next last"'],
    ['among several links', '</a?page=1>; rel="first", </a?page=2>; rel="next", </a?page=9>; rel="last"'],
    ['after an empty list element', ', ,</a?page=2>; rel=next,'],
    ['after other parameters', '</a?page=2>; title="n, <e>; xt"; hreflang=en; rel=next'],
    ['before a flag', '</a?page=2>; rel=next; crossorigin'],
    ['before an empty parameter', '</a?page=2>; rel=next;'],
    ['with a quoted pair', '</a?page=2>; title="a \\" b"; rel="ne\\xt"'],
    ['with a title in another charset', "</a?page=2>; title*=UTF-8''n%c3%a4chste; rel=next"],
    ['as the first of two', '</a?page=2>; rel=next, </a?page=3>; rel=next'],
  ])('is found %s', (_how, header) => {
    expect(nextIn(header)).toEqual({ target: '/a?page=2' });
  });

  test.each([
    ['a missing header', null],
    ['an empty header', ''],
    ['a header of commas', ' , ,'],
    ['other relations', '</a>; rel=prev, </b>; rel="nextish", </c>; rel="not-next"'],
    ['a link without a relation', '</a>; title=next'],
    ['an extension relation with the same suffix', '</a>; rel="https://example.net/next"'],
    ['a second rel parameter', '</a>; rel=prev; rel=next'],
    ['a link with a different anchor', '</a>; rel=next; anchor="/elsewhere"'],
    ['a rev parameter', '</a>; rev=next'],
  ])('is not found in %s', (_what, header) => {
    expect(nextIn(header)).toEqual({ target: undefined });
  });

  test.each([
    ['plain words', 'next page, please'],
    ['an address without brackets', '/a?page=2; rel=next'],
    ['an unclosed bracket', '</a?page=2'],
    ['an unclosed quote', '</a>; rel="prev, </b>; rel=next'],
    ['text between links', '</a>; rel=prev </b>; rel=next'],
    ['text after a link', '</a>; rel=prev, and so on'],
  ])('is unreadable in %s', (_what, header) => {
    expect(nextIn(header)).toBeUndefined();
  });

  test('is found in joined headers', () => {
    const headers = new Headers([
      ['link', '</a?page=1>; rel=prev'],
      ['link', '</a?page=2>; rel=next'],
    ]);
    expect(nextIn(headers.get('link'))).toEqual({ target: '/a?page=2' });
  });

  test('may be empty', () => {
    expect(nextIn('<>; rel=next')).toEqual({ target: '' });
  });

  test('property: parsing never throws and takes linear time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'<>;,="\\ \tarelnxt/?') }),
        (header) => void nextIn(header),
      ),
    );
    const long = 65_536;
    for (const worst of [' ', ',', '<', '<>', '<>;', '<>;a=', '<>;"', '<>; ', '<>;a="\\', '<>;a ', '<>,'])
      nextIn(worst.repeat(long / worst.length));
    nextIn(`<>;a="${'\\"'.repeat(long / 2)}`);
    nextIn(`<>${' '.repeat(long)}x`);
  });
});
