import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { findPackageRoot } from '../../../temporal-server/binary/cache.js';
import { obtainTemporal, type ObtainOptions, type Source } from '../../../temporal-server/binary/obtain.js';
import { withProgress } from '../../../temporal-server/binary/progress.js';
import { requireServerVersion } from '../../../temporal-server/binary/version.js';
import { aTemporalCli, temporaryFolder } from '../../support/fake-programs.js';

let folder: string;
let options: ObtainOptions;
let lines: string[];

const brings = (version: string) => vi.fn((into: string) => aTemporalCli(join(into, 'found'), version));
const refuses = (why: string) => vi.fn(() => Promise.reject(new Error(why)));
const sourcesOf = (...all: Source['fetch'][]): Source[] =>
  all.map((fetch, index) => ({ does: `source ${index + 1} brings it`, fetch }));
const cached = () => readdir(dirname(options.binaryPath));

beforeEach(async () => {
  folder = await temporaryFolder();
  lines = [];
  options = {
    binaryPath: join(folder, 'cache', 'key', 'temporal'),
    reason: 'the cache is empty',
    sources: [],
    onProgress: (line) => lines.push(line),
  };
});

test('the first source that works fills the cache, and each line says why the one before was not possible', async () => {
  const third = brings('1.32.0');
  await obtainTemporal({ ...options, sources: sourcesOf(refuses('no route'), brings('1.32.1'), third) });
  expect(await requireServerVersion(options.binaryPath)).toBe('1.32.1');
  expect(third).not.toHaveBeenCalled();
  expect(lines).toEqual(['the cache is empty: source 1 brings it.', 'no route: source 2 brings it.']);
  expect(await cached()).toEqual(['temporal']);
});

test('if no source works, the cache stays empty and the error is the reason of the last one', async () => {
  const halfDone = async (into: string): Promise<string> => {
    await writeFile(join(into, 'half'), 'half a binary');
    throw new Error('the download was cut');
  };
  const sources = sourcesOf(brings('1.31.9'), halfDone);
  await expect(obtainTemporal({ ...options, sources })).rejects.toThrow(/^the download was cut$/);
  expect(lines.at(-1)).toMatch(/contains Temporal server 1\.31\.9, but 1\.32 .* source 2/);
  expect(await cached()).toEqual([]);
});

test('two processes at once fetch once', async () => {
  const fetch = brings('1.32.0');
  const sources = sourcesOf(fetch);
  await Promise.all([obtainTemporal({ ...options, sources }), obtainTemporal({ ...options, sources })]);
  expect(fetch).toHaveBeenCalledOnce();
  expect(await cached()).toEqual(['temporal']);
});

test('a process that was killed leaves nothing behind and blocks nobody', async () => {
  await mkdir(join(`${options.binaryPath}.partial-dead`, 'bin'), { recursive: true });
  await writeFile(`${options.binaryPath}.lock`, '');
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(`${options.binaryPath}.lock`, aMinuteAgo, aMinuteAgo);
  await obtainTemporal({ ...options, sources: sourcesOf(brings('1.32.0')) });
  expect(await cached()).toEqual(['temporal']);
});

test('a broken file in the cache is replaced', async () => {
  await mkdir(dirname(options.binaryPath), { recursive: true });
  await writeFile(options.binaryPath, 'half a binary');
  await chmod(options.binaryPath, 0o755);
  await obtainTemporal({ ...options, sources: sourcesOf(brings('1.32.0')) });
  expect(await requireServerVersion(options.binaryPath)).toBe('1.32.0');
});

test('a cache that cannot be written names the variable to set', async () => {
  await writeFile(join(folder, 'cache'), 'a file where the folder should be');
  await expect(obtainTemporal(options)).rejects.toThrow(
    /cannot be written \(.*\): set XDG_CACHE_HOME to a folder/,
  );
});

test('a long step reports its progress every five seconds', async () => {
  vi.useFakeTimers();
  const work = withProgress(
    (line) => lines.push(line),
    (elapsed) => `${elapsed} at it`,
    () => vi.advanceTimersByTimeAsync(66_000),
  );
  await work.finally(() => vi.useRealTimers());
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe('1:05 at it');
});

test('the compiled code finds the package root', async () => {
  const compiled = join(folder, 'dist', 'temporal-server');
  await mkdir(compiled, { recursive: true });
  await mkdir(join(folder, 'temporal-server'));
  await writeFile(join(folder, 'temporal-server', 'requirements.txt'), '');
  await writeFile(join(folder, 'package.json'), '{}');
  expect(findPackageRoot(compiled)).toBe(folder);
});
