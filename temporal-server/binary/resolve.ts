// Finds a Temporal server for this machine: a running, configured, cached, built or downloaded one.
// start.ts starts it.
import { existsSync } from 'node:fs';
import { buildTemporal } from './build.js';
import { cachedBinaryPath, findModuleFolder } from './cache.js';
import type { TemporalEnvironment } from '../config.js';
import { CLI_VERSION, downloadTemporal, type DownloadOptions } from './download.js';
import { type OnProgress, printProgress } from './progress.js';
import { NEEDED_SERVER, requireServerVersion } from './version.js';

export type BinaryOrigin = 'TEMPORAL_CLI_PATH' | 'cache' | 'built' | 'downloaded';

export interface TemporalBinary {
  kind: 'binary';
  path: string;
  origin: BinaryOrigin;
  /** The version of the server, not of the CLI. */
  version: string;
}

export type ResolvedTemporal = { kind: 'external'; address: string } | TemporalBinary;

export interface ResolveOptions {
  onProgress?: OnProgress;
  /** The Go command. */
  go?: string;
  moduleFolder?: string;
  download?: (options: DownloadOptions) => Promise<string>;
}

interface Way {
  name: string;
  origin: BinaryOrigin;
  find: () => Promise<string>;
}

/**
 * Tries each option in order. An explicit setting is used or refused, never silently replaced by a build of several minutes.
 * If all options fail, throws one error with the reason and remedy of each.
 */
export async function resolveTemporal(
  environment: TemporalEnvironment,
  options: ResolveOptions = {},
): Promise<ResolvedTemporal> {
  const { address, cliPath } = environment;
  if (address !== undefined) return { kind: 'external', address };
  if (cliPath !== undefined) return { kind: 'binary', path: cliPath, ...(await chosen(cliPath)) };

  const failures = [
    'TEMPORAL_ADDRESS: not set; set it to host:port of a running server',
    `TEMPORAL_CLI_PATH: not set; set it to a Temporal CLI with server ${NEEDED_SERVER} or newer`,
  ];
  for (const { name, origin, find } of waysToFind(environment.cacheFolder, options)) {
    try {
      const path = await find();
      return { kind: 'binary', path, origin, version: await requireServerVersion(path) };
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  const numbered = failures.map((failure, index) => `  ${index + 1}. ${failure.replaceAll('\n', '\n     ')}`);
  throw new Error(`No Temporal server can be started on this machine. Tried:\n${numbered.join('\n')}`);
}

async function chosen(cliPath: string): Promise<Pick<TemporalBinary, 'origin' | 'version'>> {
  try {
    return { origin: 'TEMPORAL_CLI_PATH', version: await requireServerVersion(cliPath) };
  } catch (error) {
    const remedy = 'Set TEMPORAL_CLI_PATH to another one, or unset it to build one';
    throw new Error(`TEMPORAL_CLI_PATH is refused: ${messageOf(error)}. ${remedy}.`, { cause: error });
  }
}

function waysToFind(cacheFolder: string, options: ResolveOptions): Way[] {
  const { onProgress = printProgress, go = 'go', download = downloadTemporal } = options;
  const locate = async (): Promise<{ moduleFolder: string; binaryPath: string }> => {
    const moduleFolder = options.moduleFolder ?? findModuleFolder();
    return { moduleFolder, binaryPath: await cachedBinaryPath(cacheFolder, moduleFolder) };
  };
  const findCached = async (): Promise<string> => {
    const { binaryPath } = await locate();
    if (existsSync(binaryPath)) return binaryPath;
    throw new Error(`${binaryPath} does not exist yet; a build creates it`);
  };
  const build = async (): Promise<string> => {
    const { moduleFolder, binaryPath } = await locate();
    await buildTemporal({ moduleFolder, binaryPath, onProgress, go });
    return binaryPath;
  };
  return [
    { name: 'the cached build', origin: 'cache', find: findCached },
    { name: 'a build with Go', origin: 'built', find: build },
    {
      name: `the SDK's download of CLI ${CLI_VERSION}`,
      origin: 'downloaded',
      find: () => download({ cacheFolder, onProgress }),
    },
  ];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
