import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildTemporal, type BuildOptions } from '../../../temporal-server/binary/build.js';
import { cachedBinaryPath, findPackageRoot } from '../../../temporal-server/binary/cache.js';
import { withProgress } from '../../../temporal-server/binary/progress.js';
import { requireServerVersion } from '../../../temporal-server/binary/version.js';
import { aGo, aModuleFolder, temporaryFolder } from '../../support/fake-programs.js';

let folder: string;
let options: Required<BuildOptions>;

beforeEach(async () => {
  folder = await temporaryFolder();
  options = {
    moduleFolder: await aModuleFolder(join(folder, 'module')),
    binaryPath: join(folder, 'cache', 'key', 'temporal'),
    go: join(folder, 'go'),
    onProgress: () => undefined,
  };
});

const cached = () => readdir(dirname(options.binaryPath));
const builds = async () => (await readFile(`${options.go}.builds`, 'utf8')).trim().split('\n').length;

test('a build puts only a working binary into the cache', async () => {
  await aGo(options.go);
  await buildTemporal(options);
  expect(await requireServerVersion(options.binaryPath)).toBe('1.32.0');
  expect(await cached()).toEqual(['temporal']);
});

test('two concurrent builds run Go once and share the binary', async () => {
  await aGo(options.go);
  await Promise.all([buildTemporal(options), buildTemporal(options)]);
  expect(await builds()).toBe(1);
  expect(await cached()).toEqual(['temporal']);
});

test('a failed build leaves the cache empty and reports the output of Go', async () => {
  await aGo(options.go, { afterwards: 'echo "no route to the module proxy" >&2; exit 1' });
  await expect(buildTemporal(options)).rejects.toThrow('no route to the module proxy');
  expect(await cached()).toEqual([]);
});

test('a killed build does not block the next one', async () => {
  await aGo(options.go);
  await mkdir(dirname(options.binaryPath), { recursive: true });
  await writeFile(`${options.binaryPath}.partial-dead`, 'half a binary');
  await writeFile(`${options.binaryPath}.lock`, '');
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(`${options.binaryPath}.lock`, aMinuteAgo, aMinuteAgo);
  await buildTemporal(options);
  expect(await cached()).toEqual(['temporal']);
});

test('a build first reports that it may take minutes', async () => {
  await aGo(options.go);
  const onProgress = vi.fn();
  await buildTemporal({ ...options, onProgress });
  expect(onProgress).toHaveBeenCalledWith(
    expect.stringMatching(/Building .* with Go 1\.26\.8 into .*usually takes 3 to 7 minutes/),
  );
});

test('a long step reports its progress every five seconds', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const work = withProgress(
    (line) => lines.push(line),
    (elapsed) => `${elapsed} at it`,
    () => vi.advanceTimersByTimeAsync(66_000),
  );
  await work.finally(() => vi.useRealTimers());
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe('1:05 at it');
});

test('the cache path depends on the content of go.sum', async () => {
  const [one, same, other] = await Promise.all(
    ['a', 'a', 'b'].map(async (sums, index) =>
      cachedBinaryPath('/cache', await aModuleFolder(join(folder, String(index)), sums)),
    ),
  );
  expect(one).toMatch(/^\/cache\/[0-9a-f]{12}\/temporal/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test('the compiled code finds the Go module in the package root', async () => {
  await aModuleFolder(join(folder, 'temporal-server'));
  await writeFile(join(folder, 'package.json'), '{}');
  const compiled = join(folder, 'dist', 'temporal-server');
  await mkdir(compiled, { recursive: true });
  expect(existsSync(join(compiled, 'go.mod'))).toBe(false);
  expect(findPackageRoot(compiled)).toBe(folder);
});
