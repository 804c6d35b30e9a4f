import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECTION =
  /\b(?:facts|interface|design|temporal)(?:\.md)?(?:\s|\/\/|\*)+\d{1,2}(?:\.\d{1,2})?\b(?! (?:of|in|per|each)\b)/gi;
const DESIGN = /\((?:see )?(?:the )?design(?:\.md)?\s*:/gi;

const referencesIn = (text: string): string[] =>
  [SECTION, DESIGN].flatMap((form) => [...text.matchAll(form)].map(([found]) => found));

test.each(['(temporal.md 5)', 'design 9', 'facts // 3.1', '(design: a fold over the set of facts)'])(
  'the reference "%s" is detected',
  (text) => expect(referencesIn(text)).toHaveLength(1),
);

test('comments and pages contain no section numbers', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.yml'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = tracked
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('/no-old-references.test.ts'))
    .flatMap((file) =>
      referencesIn(readFileSync(`${ROOT}${file}`, 'utf8')).map((text) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});
