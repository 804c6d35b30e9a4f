import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leavesOutBrowserTests } from './config.js';
import { NAMES, browserOnPath } from './launch.js';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-browser-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a missing browser is reported with the package to install and the way to skip', async () => {
  await expect(browserOnPath(await aFolder())).rejects.toThrow(
    /expected a browser on PATH \(chromium, .*\); install one \(.*apt-get install chromium\) or set BROWSER_TESTS=skip/,
  );
});

test.each(NAMES)('finds the browser %s on PATH', async (name) => {
  const folder = await aFolder();
  await writeFile(join(folder, name), '#!/bin/sh\n');
  await chmod(join(folder, name), 0o755);
  expect(await browserOnPath(folder)).toBe(join(folder, name));
});

test.each([
  [{}, false],
  [{ BROWSER_TESTS: '' }, false],
  [{ BROWSER_TESTS: 'run' }, false],
  [{ CI: 'true' }, false],
  [{ BROWSER_TESTS: 'skip' }, true],
])('skips browser tests with %j: %s', (variables, expected) => {
  expect(leavesOutBrowserTests(variables)).toBe(expected);
});

test('refuses an unknown value of BROWSER_TESTS', () => {
  expect(() => leavesOutBrowserTests({ BROWSER_TESTS: 'no' })).toThrow('expected run or skip');
});
