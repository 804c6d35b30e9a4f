import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Accepted, judgeAudit } from '../../../tools/dependencies/judge.js';

const ADVISORY = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc';
/** `lib` has a vulnerability; `web` uses it. */
const REPORT = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    web: { name: 'web', via: ['lib'] },
    lib: {
      name: 'lib',
      via: [{ source: 1, name: 'lib', title: 'Too slow', url: ADVISORY, severity: 'high' }],
    },
  },
});
const row = {
  id: 'GHSA-aaaa-bbbb-cccc',
  package: 'lib',
  reason: 'We never call its parser with foreign text.',
};

test('a vulnerability is refused once, by the package that has it', () => {
  expect(judgeAudit(REPORT, [])).toEqual({
    kind: 'known',
    refused: [`high: lib, Too slow, ${ADVISORY}`],
    unused: [],
  });
});

test('an accepted one passes, and is reported when no package has it any more', () => {
  expect(judgeAudit(REPORT, [row])).toEqual({ kind: 'known', refused: [], unused: [] });
  expect(judgeAudit('{"vulnerabilities":{}}', [row])).toEqual({
    kind: 'known',
    refused: [],
    unused: [row.id],
  });
});

test.each([
  ['{"message":"405 Method Not Allowed","error":{"summary":"","detail":""}}', '405 Method Not Allowed'],
  ['{"error":{"code":"ENOTFOUND","summary":"no such host"}}', 'no such host'],
  ['', 'npm audit printed no report'],
])('without npm’s data nothing is known: %s', (printed, why) => {
  expect(judgeAudit(printed, [])).toEqual({ kind: 'unknown', why });
});

test('each accepted row has an id and a reason', async () => {
  const file = new URL('../../../tools/dependencies/accepted.json', import.meta.url);
  expect(Accepted.parse(JSON.parse(await readFile(file, 'utf8')))).toBeInstanceOf(Array);
  expect(Accepted.safeParse([{ ...row, reason: 'fine' }]).success).toBe(false);
});
