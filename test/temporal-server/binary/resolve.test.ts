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

describe('the order', () => {
  test('a server that runs already comes before all else', async () => {
    environment = { ...environment, address: 'temporal.example:7233', cliPath: join(folder, 'missing') };
    expect(await resolveTemporal(environment, options)).toEqual({
      kind: 'external',
      address: 'temporal.example:7233',
    });
  });

  test('TEMPORAL_CLI_PATH comes before the cache', async () => {
    await aTemporalCli(await cachePath(), '1.32.0');
    const cliPath = await aTemporalCli(join(folder, 'chosen'), '1.33.1');
    expect(await resolveTemporal({ ...environment, cliPath }, options)).toEqual({
      kind: 'binary',
      path: cliPath,
      origin: 'TEMPORAL_CLI_PATH',
      version: '1.33.1',
    });
  });

  test('what is in the cache comes before a build', async () => {
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

  test('a build comes before a download, and is in the cache the next time', async () => {
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

  test('a download comes last', async () => {
    const path = await aTemporalCli(join(folder, 'downloaded'), '1.32.0');
    const resolved = await resolveTemporal(environment, {
      ...options,
      download: () => Promise.resolve(path),
    });
    expect(resolved).toEqual({ kind: 'binary', path, origin: 'downloaded', version: '1.32.0' });
  });
});

describe('a server below 1.32', () => {
  test('is refused by name when it was chosen by hand, and no other is looked for', async () => {
    await aGo(options.go);
    const cliPath = await aTemporalCli(join(folder, 'old'), '1.31.2');
    const refusal = resolveTemporal({ ...environment, cliPath }, options);
    await expect(refusal).rejects.toThrow(
      `${cliPath} carries Temporal server 1.31.2, but 1.32 or newer is needed`,
    );
    expect(existsSync(`${options.go}.builds`)).toBe(false);
  });

  test('is built anew when it is in the cache', async () => {
    await aTemporalCli(await cachePath(), '1.9.0');
    await aGo(options.go);
    expect(await resolveTemporal(environment, options)).toMatchObject({ origin: 'built', version: '1.32.0' });
  });
});

test.each([
  ['that is not there', undefined],
  ['that carries no server', 'Temporal CLI'],
])('refuses a TEMPORAL_CLI_PATH %s', async (_, version) => {
  const cliPath = join(folder, 'chosen');
  if (version !== undefined) await aTemporalCli(cliPath, version);
  await expect(resolveTemporal({ ...environment, cliPath }, options)).rejects.toThrow(
    /^TEMPORAL_CLI_PATH is refused: .*chosen .*unset it/,
  );
});

test('names every way that was tried, why it failed and what to do, when none works', async () => {
  const failure: unknown = await resolveTemporal(environment, options).catch((error: unknown) => error);
  expect(String(failure).replaceAll(folder, '<folder>')).toMatchInlineSnapshot(`
    "Error: No Temporal server can be started on this machine. What was tried:
      1. TEMPORAL_ADDRESS: not set; set it to host:port of a server that runs
      2. TEMPORAL_CLI_PATH: not set; set it to a Temporal CLI with server 1.32 or newer
      3. the build kept in the cache: <folder>/cache/bb3fe46b641b/temporal is not there yet; a build puts it there
      4. a build with Go: there is no Go here (spawn <folder>/bin/go ENOENT); install Go 1.26.8 or newer and put it in PATH
      5. the SDK's download of CLI v1.9.1: no way out of here"
  `);
});

test('says which Go there is and which is needed', async () => {
  await aGo(options.go, { version: '1.26.7' });
  await expect(resolveTemporal(environment, options)).rejects.toThrow(
    'Go is 1.26.7 here, but 1.26.8 or newer is needed',
  );
});

test('takes an empty variable for one that is not set', () => {
  expect(
    readTemporalEnvironment({ TEMPORAL_ADDRESS: '', TEMPORAL_CLI_PATH: ' ', XDG_CACHE_HOME: '/cache' }),
  ).toEqual({
    address: undefined,
    cliPath: undefined,
    cacheFolder: join('/cache', 'payto-agreements', 'temporal'),
  });
});
