import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Code, addresses of links, and quotes: the words of other people, such as messages for the payer. */
const NOT_PROSE = /^```.*?^```|`[^`\n]*`|\]\([^)\s]*\)|“[^”]*”/gms;

const linesWithoutActor = (text: string): string[] =>
  text
    .replaceAll(NOT_PROSE, '')
    .split('\n')
    .filter((line) => /\b(?:we|our|ours|us)\b/i.test(line));

test.each(['We poll it.', 'Our side is empty.', '| refused by us |', 'a resource of ours'])(
  'the sentence "%s" is refused',
  (text) => expect(linesWithoutActor(text)).toEqual([text]),
);

test('code, addresses and quotes may have the words', () => {
  expect(
    linesWithoutActor('`our` [16](a-client-under-our-uid.md) “Please contact us.”\n```\nus\n```'),
  ).toEqual([]);
});

test('pages name the actor: the worker, the API, the product or the maintainers', () => {
  const pages = execFileSync('git', ['ls-files', '*.md', ':!docs/decisions', ':!CHANGELOG.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = pages
    .split('\n')
    .filter((page) => page !== '')
    .flatMap((page) =>
      linesWithoutActor(readFileSync(`${ROOT}${page}`, 'utf8')).map((line) => `${page}: ${line}`),
    );
  expect(found).toEqual([]);
});
