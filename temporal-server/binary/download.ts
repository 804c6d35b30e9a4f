// The last way: Temporal's TypeScript SDK fetches a released CLI. It knows from where; nothing here does.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { BINARY_SUFFIX, findPackageRoot } from './cache.js';
import { type OnProgress, withProgress } from './progress.js';

/** A release of the CLI that carries server 1.32. */
export const CLI_VERSION = 'v1.9.1';

const TIMEOUT_MS = 15 * 60_000;

/**
 * The SDK fetches only as part of starting a server, so one is started and stopped. In a process of its own: it
 * installs a native runtime for good, of which there may be one per process, and its server writes to our output.
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

/** The path of the downloaded CLI; the second time it is found where the first one left it. */
export async function downloadTemporal({ cacheFolder, onProgress }: DownloadOptions): Promise<string> {
  const path = join(cacheFolder, `temporal-${CLI_VERSION}${BINARY_SUFFIX}`); // the name is the SDK's choice
  if (existsSync(path)) return path;
  await mkdir(cacheFolder, { recursive: true });
  onProgress(`Letting the Temporal SDK download CLI ${CLI_VERSION} into ${cacheFolder}.`);
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
  // Whether that server came up does not matter: it is started anew from the file.
  if (existsSync(path)) return path;
  if (result.stderr.includes('ERR_MODULE_NOT_FOUND')) {
    throw new Error(
      'the development dependency @temporalio/testing is not installed; run npm ci without --omit=dev',
    );
  }
  const cause = /Error: .+/.exec(result.stderr)?.[0] ?? result.shortMessage ?? 'no file came of it';
  throw new Error(`${cause}; let this machine reach the internet, or take another way`);
}
