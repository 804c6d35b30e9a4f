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

test('where there is no browser, the failure says what to install and how to go without', async () => {
  await expect(browserOnPath(await aFolder())).rejects.toThrow(
    /expected a browser on PATH \(chromium, .*\), met none: install one \(.*apt-get install chromium\), or say BROWSER_TESTS=skip/,
  );
});

test.each(NAMES)('%s is one', async (name) => {
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
])('with %j the tests of pages are left out: %s', (variables, expected) => {
  expect(leavesOutBrowserTests(variables)).toBe(expected);
});

test('another word for it is refused', () => {
  expect(() => leavesOutBrowserTests({ BROWSER_TESTS: 'no' })).toThrow('expected run or skip');
});
