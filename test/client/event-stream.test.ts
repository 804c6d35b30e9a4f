import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createParser } from '../../client/event-stream.js';

const parse = (text: string, ends: readonly number[] = []) => {
  const bytes = Buffer.from(text);
  const parser = createParser();
  const cuts = [...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return cuts.flatMap((end, index) => parser(bytes.subarray(cuts[index - 1] ?? 0, end)));
};
const block = { data: undefined, id: undefined, retryMs: undefined };

test.each([
  ['lines of data', 'data: a\ndata:b\ndata\n\n', { data: 'a\nb\n' }],
  ['id, data and type', 'id: c1\nevent: payment.settled\ndata: {"a": 1}\n\n', { id: 'c1', data: '{"a": 1}' }],
  ['an id alone', 'id: c0\n\n', { id: 'c0' }],
  ['retry, and not a malformed one', 'retry: 2000\nretry: 2s\n\n', { retryMs: 2000 }],
  ['comments and unknown fields', ': keep-alive\n\nother: 1\n\ndata: a\n\n', { data: 'a' }],
  ['one space after the colon', 'data:  a: b \n\n', { data: ' a: b ' }],
  ['no id with a null character', 'id: a\0b\ndata: a\n\n', { data: 'a' }],
])('reads %s', (_, text, expected) => {
  expect(parse(text)).toEqual([{ ...block, ...expected }]);
});

test('ignores a block without its empty line', () => {
  expect(parse('data: a\n\ndata: b\n')).toEqual([{ ...block, data: 'a' }]);
});

test('reads the same however the bytes are cut, with any line end', () => {
  const text = '\uFEFFid: 1\ndata: é€😀\n\n: keep-alive\n\nretry: 5\ndata: b\ndata: c\n\n';
  const expected = [
    { ...block, id: '1', data: 'é€😀' },
    { ...block, retryMs: 5, data: 'b\nc' },
  ];
  const property = fc.property(
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
    (end, cuts) => void expect(parse(text.replaceAll('\n', end), cuts)).toEqual(expected),
  );
  fc.assert(property);
});
