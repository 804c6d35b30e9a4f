import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawn } from '../../tools/draw-agreement.js';

const PAGE = new URL('../../docs/agreement.md', import.meta.url);

test('docs/agreement.md is what the code says', async () => {
  const page = await readFile(PAGE, 'utf8');
  expect(await drawn(page)).toBe(page);
});

test('what somebody wrote between the marks gives way to what the code says', async () => {
  const page = await readFile(PAGE, 'utf8');
  const changed = page.replace('pending --> active: activated', 'pending --> active: wished');
  expect(changed).not.toBe(page);
  expect(await drawn(changed)).toBe(page);
});

test('a page without the marks is refused', async () => {
  await expect(drawn('# Nothing here')).rejects.toThrow('expected docs/agreement.md to hold the marks');
});
