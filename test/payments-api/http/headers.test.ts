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
])('takes %j for %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

test('reads a date of one digit as it is written with a blank before it', () => {
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
])('makes nothing of %j', (header) => {
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
] as const)('after a %i with Retry-After %j we pause for %i ms', (status, header, expected) => {
  expect(pauseOf(status, header)).toBe(expected);
});

test.each([429, 503])('no %i pauses us for longer than an hour', (status) => {
  expect(pauseOf(status, '3601')).toBe(3_600_000);
  expect(pauseOf(status, '999999999')).toBe(3_600_000);
});

test.each([200, 201, 202, 301, 400, 401, 403, 404, 409, 422, 500, 502, 504])(
  'a %i pauses nothing, whatever it asks for',
  (status) => {
    expect(pauseOf(status, '5')).toBe(0);
  },
);

describe('the next page', () => {
  test.each([
    ['quoted', '</a?page=2>; rel="next"'],
    ['bare', '</a?page=2>; rel=next'],
    ['without blanks', '</a?page=2>;rel=next'],
    ['with many', '  </a?page=2>  ;   rel  =  "next"  '],
    ['in capitals', '</a?page=2>; REL="NEXT"'],
    ['as one of several relations', '</a?page=2>; rel="prev next last"'],
    ['as one of several links', '</a?page=1>; rel="first", </a?page=2>; rel="next", </a?page=9>; rel="last"'],
    ['after an empty list element', ', ,</a?page=2>; rel=next,'],
    ['after other parameters', '</a?page=2>; title="n, <e>; xt"; hreflang=en; rel=next'],
    ['before a flag', '</a?page=2>; rel=next; crossorigin'],
    ['before an empty parameter', '</a?page=2>; rel=next;'],
    ['with a quoted pair', '</a?page=2>; title="a \\" b"; rel="ne\\xt"'],
    ['with a title in another charset', "</a?page=2>; title*=UTF-8''n%c3%a4chste; rel=next"],
    ['the first of two', '</a?page=2>; rel=next, </a?page=3>; rel=next'],
  ])('is found %s', (_how, header) => {
    expect(nextIn(header)).toEqual({ target: '/a?page=2' });
  });

  test.each([
    ['no header', null],
    ['an empty one', ''],
    ['nothing but commas', ' , ,'],
    ['other relations', '</a>; rel=prev, </b>; rel="nextish", </c>; rel="not-next"'],
    ['no relation', '</a>; title=next'],
    ['an extension that ends alike', '</a>; rel="https://example.net/next"'],
    ['a second rel, which does not count', '</a>; rel=prev; rel=next'],
    ['a link of another page', '</a>; rel=next; anchor="/elsewhere"'],
    ['a rev', '</a>; rev=next'],
  ])('is not found in %s', (_what, header) => {
    expect(nextIn(header)).toEqual({ target: undefined });
  });

  test.each([
    ['words', 'next page, please'],
    ['an address without brackets', '/a?page=2; rel=next'],
    ['an open bracket', '</a?page=2'],
    ['an open quote', '</a>; rel="prev, </b>; rel=next'],
    ['something between links', '</a>; rel=prev </b>; rel=next'],
    ['something after a link', '</a>; rel=prev, and so on'],
  ])('says so when it cannot read %s', (_what, header) => {
    expect(nextIn(header)).toBeUndefined();
  });

  test('reads two headers as fetch joins them', () => {
    const headers = new Headers([
      ['link', '</a?page=1>; rel=prev'],
      ['link', '</a?page=2>; rel=next'],
    ]);
    expect(nextIn(headers.get('link'))).toEqual({ target: '/a?page=2' });
  });

  test('takes an empty address for what it is', () => {
    expect(nextIn('<>; rel=next')).toEqual({ target: '' });
  });

  test('never throws, and reads the worst in linear time', () => {
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
