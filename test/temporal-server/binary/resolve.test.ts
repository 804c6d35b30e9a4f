import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cachedBinaryPath } from '../../../temporal-server/binary/cache.js';
import { readTemporalEnvironment, type TemporalEnvironment } from '../../../temporal-server/config.js';
import { resolveTemporal, type ResolveOptions } from '../../../temporal-server/binary/resolve.js';
import { aGo, aModuleFolder, aTemporalCli, temporaryFolder } from '../../support/fake-programs.js';

let folder: string;
let environment: TemporalEnvironment;
let options: Required<ResolveOptions>;

beforeEach(async () => {
  folder = await temporaryFolder();
  environment = { address: undefined, cliPath: undefined, cacheFolder: join(folder, 'cache') };
  options = {
    onProgress: () => undefined,
    go: join(folder, 'bin', 'go'),
    moduleFolder: await aModuleFolder(join(folder, 'module')),
    download: () => Promise.reject(new Error('no way out of here')),
  };
});

const cachePath = () => cachedBinaryPath(environment.cacheFolder, options.moduleFolder);

describe('order of Temporal servers', () => {
  test('prefers a running server to all others', async () => {
    environment = { ...environment, address: 'temporal.example:7233', cliPath: join(folder, 'missing') };
    expect(await resolveTemporal(environment, options)).toEqual({
      kind: 'external',
      address: 'temporal.example:7233',
    });
  });

  test('prefers TEMPORAL_CLI_PATH to the cache', async () => {
    await aTemporalCli(await cachePath(), '1.32.0');
    const cliPath = await aTemporalCli(join(folder, 'chosen'), '1.33.1');
    expect(await resolveTemporal({ ...environment, cliPath }, options)).toEqual({
      kind: 'binary',
      path: cliPath,
      origin: 'TEMPORAL_CLI_PATH',
      version: '1.33.1',
    });
  });

  test('prefers the cache to a build', async () => {
    await aGo(options.go);
    const path = await aTemporalCli(await cachePath(), '1.32.0');
    expect(await resolveTemporal(environment, options)).toEqual({
      kind: 'binary',
      path,
      origin: 'cache',
      version: '1.32.0',
    });
    expect(existsSync(`${options.go}.builds`)).toBe(false);
  });

  test('prefers a build to a download, and caches the build', async () => {
    await aGo(options.go);
    expect(await resolveTemporal(environment, options)).toMatchObject({
      origin: 'built',
      path: await cachePath(),
    });
    expect(await resolveTemporal(environment, options)).toMatchObject({
      origin: 'cache',
      path: await cachePath(),
    });
  });

  test('downloads a server as the last option', async () => {
    const path = await aTemporalCli(join(folder, 'downloaded'), '1.32.0');
    const resolved = await resolveTemporal(environment, {
      ...options,
      download: () => Promise.resolve(path),
    });
    expect(resolved).toEqual({ kind: 'binary', path, origin: 'downloaded', version: '1.32.0' });
  });
});

describe('Temporal server below 1.32', () => {
  test('is refused, without trying another, if TEMPORAL_CLI_PATH names it', async () => {
    await aGo(options.go);
    const cliPath = await aTemporalCli(join(folder, 'old'), '1.31.2');
    const refusal = resolveTemporal({ ...environment, cliPath }, options);
    await expect(refusal).rejects.toThrow(
      `${cliPath} contains Temporal server 1.31.2, but 1.32 or newer is required`,
    );
    expect(existsSync(`${options.go}.builds`)).toBe(false);
  });

  test('is rebuilt if it is in the cache', async () => {
    await aTemporalCli(await cachePath(), '1.9.0');
    await aGo(options.go);
    expect(await resolveTemporal(environment, options)).toMatchObject({ origin: 'built', version: '1.32.0' });
  });
});

test.each([
  ['that does not exist', undefined],
  ['without a server', 'Temporal CLI'],
])('a TEMPORAL_CLI_PATH %s is refused', async (_, version) => {
  const cliPath = join(folder, 'chosen');
  if (version !== undefined) await aTemporalCli(cliPath, version);
  await expect(resolveTemporal({ ...environment, cliPath }, options)).rejects.toThrow(
    /^TEMPORAL_CLI_PATH is refused: .*chosen .*unset it/,
  );
});

test('the error lists every attempt with its reason and a fix if none succeeds', async () => {
  const failure: unknown = await resolveTemporal(environment, options).catch((error: unknown) => error);
  expect(String(failure).replaceAll(folder, '<folder>')).toMatchInlineSnapshot(`
    "Error: No Temporal server can be started on this machine. Tried:
      1. TEMPORAL_ADDRESS: not set; set it to host:port of a running server
      2. TEMPORAL_CLI_PATH: not set; set it to a Temporal CLI with server 1.32 or newer
      3. the cached build: <folder>/cache/bb3fe46b641b/temporal does not exist yet; a build creates it
      4. a build with Go: Go is not installed (spawn <folder>/bin/go ENOENT); install Go 1.26.8 or newer and put it in PATH
      5. the SDK's download of CLI v1.9.1: no way out of here"
  `);
});

test('the error shows the installed and the required Go version', async () => {
  await aGo(options.go, { version: '1.26.7' });
  await expect(resolveTemporal(environment, options)).rejects.toThrow(
    'Go 1.26.7 is installed, but 1.26.8 or newer is required',
  );
});

test('an empty variable counts as unset', () => {
  expect(
    readTemporalEnvironment({ TEMPORAL_ADDRESS: '', TEMPORAL_CLI_PATH: ' ', XDG_CACHE_HOME: '/cache' }),
  ).toEqual({
    address: undefined,
    cliPath: undefined,
    cacheFolder: join('/cache', 'payto-agreements', 'temporal'),
  });
});
