// The last option: Temporal's TypeScript SDK downloads a released CLI. Only the SDK knows the URL.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { BINARY_SUFFIX, findPackageRoot } from './cache.js';
import { type OnProgress, withProgress } from './progress.js';

/** A CLI release with server 1.32. */
export const CLI_VERSION = 'v1.9.1';

const TIMEOUT_MS = 15 * 60_000;

/**
 * The SDK downloads only when it starts a server, so we start and stop one. It runs in a separate process, because the SDK
 * permanently installs a native runtime, one per process, and its server writes to our output.
 */
const FETCH = `
  const [version, downloadDir] = process.argv.slice(1);
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = { type: 'cached-download', version, downloadDir, ttl: '3650d' };
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
`;

export interface DownloadOptions {
  cacheFolder: string;
  onProgress: OnProgress;
}

/** The path of the downloaded CLI. Later calls find the file of the first one. */
export async function downloadTemporal({ cacheFolder, onProgress }: DownloadOptions): Promise<string> {
  const path = join(cacheFolder, `temporal-${CLI_VERSION}${BINARY_SUFFIX}`); // The SDK chooses the name.
  if (existsSync(path)) return path;
  await mkdir(cacheFolder, { recursive: true });
  onProgress(`The Temporal SDK is downloading CLI ${CLI_VERSION} into ${cacheFolder}.`);
  const result = await withProgress(
    onProgress,
    (elapsed) => `${elapsed} downloading the Temporal CLI`,
    () =>
      execa(process.execPath, ['--input-type=module', '--eval', FETCH, CLI_VERSION, cacheFolder], {
        cwd: findPackageRoot(),
        stdin: 'ignore',
        stdout: 'ignore',
        reject: false,
        timeout: TIMEOUT_MS,
      }),
  );
  // That server need not have started: we start our own from the file.
  if (existsSync(path)) return path;
  if (result.stderr.includes('ERR_MODULE_NOT_FOUND')) {
    throw new Error(
      'the development dependency @temporalio/testing is not installed; run npm ci without --omit=dev',
    );
  }
  const cause = /Error: .+/.exec(result.stderr)?.[0] ?? result.shortMessage ?? 'the SDK stored no file';
  throw new Error(`${cause}; give this machine internet access, or use another option`);
}
