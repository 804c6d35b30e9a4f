// Where a Link header says that the next page is (RFC 8288), however it is written.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextIn } from '../../../payments-api/http/headers.js';

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
  const headers = new Headers([['link', '</a?page=1>; rel=prev'], ['link', '</a?page=2>; rel=next']]); // prettier-ignore
  expect(nextIn(headers.get('link'))).toEqual({ target: '/a?page=2' });
});

test('takes an empty address for what it is', () => {
  expect(nextIn('<>; rel=next')).toEqual({ target: '' });
});

test('never throws, and is quick about the worst', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'<>;,="\\ \tarelnxt/?') }), (header) => void nextIn(header)));
  const long = 65_536;
  const startedMs = performance.now();
  for (const worst of [' ', ',', '<', '<>', '<>;', '<>;a=', '<>;"', '<>; ', '<>;a="\\', '<>;a ', '<>,'])
    nextIn(worst.repeat(long / worst.length));
  nextIn(`<>;a="${'\\"'.repeat(long / 2)}`);
  nextIn(`<>${' '.repeat(long)}x`);
  expect(performance.now() - startedMs).toBeLessThan(2000);
}); // prettier-ignore
