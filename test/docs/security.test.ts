import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TEXT = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');

test('every test that SECURITY.md names exists, and each threat has one', () => {
  const named = [...TEXT.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
  const [, threats = ''] = TEXT.split('| threat ');
  const rows = threats
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'));
  expect(rows.filter((row) => !row.includes('`test/'))).toEqual([]);
});
