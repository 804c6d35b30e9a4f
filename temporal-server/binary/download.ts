// Temporal's TypeScript SDK downloads a released CLI from Temporal. Only the SDK knows the whole URL.
import { join } from 'node:path';
import { execa } from 'execa';
import { BINARY_SUFFIX, CLI_VERSION, findPackageRoot } from './cache.js';

const TIMEOUT_MS = 10 * 60_000;
const REACHABLE_WITHIN_MS = 4000;
const HOST = 'temporal.download';

/**
 * The SDK downloads only when it starts a server, so we start and stop one. It runs in a separate process, because the SDK
 * permanently installs a native runtime, one per process, and its server writes to our output. The SDK waits minutes for a
 * host that does not answer, so we ask the host first.
 */
const FETCH = `
  const [version, downloadDir] = process.argv.slice(1);
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  await fetch('https://${HOST}', { method: 'HEAD', signal: AbortSignal.timeout(${REACHABLE_WITHIN_MS}) }).catch(() => {
    throw new Error('${HOST} cannot be reached within ${REACHABLE_WITHIN_MS / 1000} s');
  });
  const executable = { type: 'cached-download', version, downloadDir, ttl: '3650d' };
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
`;

/**
 * Downloads the CLI into the folder and returns its path.
 * @throws Error with one line if that is not possible, within seconds on a machine without internet.
 */
export async function downloadTemporal(folder: string): Promise<string> {
  const version = `v${CLI_VERSION}`;
  const result = await execa(process.execPath, ['--input-type=module', '--eval', FETCH, version, folder], {
    cwd: findPackageRoot(),
    env: { NODE_USE_ENV_PROXY: '1' }, // The SDK uses the proxy of HTTPS_PROXY too.
    stdin: 'ignore',
    stdout: 'ignore',
    reject: false,
    timeout: TIMEOUT_MS,
  });
  if (!result.failed) return join(folder, `temporal-${version}${BINARY_SUFFIX}`); // The SDK chooses the name.
  if (result.stderr.includes('ERR_MODULE_NOT_FOUND'))
    throw new Error('the package @temporalio/testing is not installed; run npm ci without --omit=dev');
  throw new Error(/Error: (.+)/.exec(result.stderr)?.[1] ?? result.shortMessage);
}
