import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/provider.md', ROOT), 'utf8');

test('every file named in docs/provider.md exists', () => {
  const named = [...PAGE.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.ts)`/g)].flatMap(([, file]) => file ?? []);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
});
