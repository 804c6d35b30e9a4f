import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');
const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(`${ROOT}${file}`));

const PAGES = tracked('*.md');
const GAP = String.raw`(?:\s|//|\*)+`;
const REFERENCE = new RegExp(String.raw`docs/[\w-]+\.md#[\w-]+(?:,?${GAP}(?:and${GAP})?#[a-z][\w-]*)*`, 'g');
const LINK = /\]\(([^)\s]+)\)/g;

function anchorsOf(page: string): Set<string> {
  const prose = textOf(page).replaceAll(/^```.*?^```/gms, '');
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const repeats = [...anchors].filter((known) => known.replace(/-\d+$/, '') === anchor).length;
    anchors.add(repeats === 0 ? anchor : `${anchor}-${repeats}`);
  }
  return anchors;
}

const anchors = new Map(PAGES.map((page) => [page, anchorsOf(page)]));
const isThere = (page: string, anchor: string | undefined): boolean =>
  anchor === undefined ? existsSync(`${ROOT}${page}`) : anchors.get(page)?.has(anchor) === true;

test('every documentation section referenced in code or pages exists', () => {
  const missing = tracked('*.ts', '*.mjs', '*.md', '*.yml', '*.sh', '.env.example').flatMap((file) =>
    [...textOf(file).matchAll(REFERENCE)].flatMap(([text]) => {
      const [page = '', first = '', ...more] = text
        .split('#')
        .map((part) => part.match(/^[\w./-]+/)?.[0] ?? '');
      return [first, ...more]
        .filter((anchor) => !isThere(page, anchor))
        .map((anchor) => `${file}: ${page}#${anchor}`);
    }),
  );
  expect(missing).toEqual([]);
});

test('every link in a page leads to an existing file and section', () => {
  const missing = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(LINK)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path));
      return isThere(file, anchor) ? [] : [`${page}: ${target}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('the section that an operation of the API document names as its task exists', () => {
  const links = [...textOf('client/openapi.json').matchAll(/\]\(\/(docs\/[\w-]+)#([\w-]+)\)/g)];
  expect(links.length).toBeGreaterThan(90);
  const missing = links.flatMap(([, page = '', anchor]) =>
    isThere(`${page}.md`, anchor) ? [] : [`${page}#${anchor}`],
  );
  expect([...new Set(missing)]).toEqual([]);
});

test.each([
  'docs/architecture.md',
  'docs/agreement.md',
  'docs/custody.md',
  'docs/deployment.md',
  'CONTRIBUTING.md',
])('every file and folder named in %s exists', (page) => {
  const named = [...textOf(page).matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|mjs|md|yml|sh))?)`/g)];
  expect(named.length).toBeGreaterThan(0);
  const missing = named.flatMap(([, path = '']) => (existsSync(`${ROOT}${path}`) ? [] : [path]));
  expect(missing).toEqual([]);
});

test('docs/configuration.md lists every variable that only tests read', () => {
  const configs = tracked('test/**/config.ts');
  const variables = configs.flatMap((file) => [...textOf(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+): z\b/gm)]);
  const page = textOf('docs/configuration.md');
  expect(variables.length).toBeGreaterThan(0);
  expect(variables.flatMap(([, name = '']) => (page.includes(`\`${name}\``) ? [] : [name]))).toEqual([]);
});

test('README has at most 100 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});
