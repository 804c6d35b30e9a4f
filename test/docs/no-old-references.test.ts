// What a comment or a page refers to is in this repository: no sections of documents that its reader does not have.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECTION =
  /\b(?:facts|interface|design)(?:\s|\/\/|\*)+\d{1,2}(?:\.\d{1,2})?\b(?! (?:of|in|per|each)\b)/gi;

test('no comment and no page refers to a section by number', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.yml'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = tracked
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('/no-old-references.test.ts'))
    .flatMap((file) =>
      [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(SECTION)].map(([text]) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});
