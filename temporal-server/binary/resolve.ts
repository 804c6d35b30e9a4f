// Finds a Temporal server for this machine: a running, configured, cached, downloaded or installed one.
// start.ts starts it.
import { existsSync } from 'node:fs';
import { cachedBinaryPath } from './cache.js';
import type { TemporalEnvironment } from '../config.js';
import { messageOf, obtainTemporal, SOURCES, type Source } from './obtain.js';
import { type OnProgress, printProgress } from './progress.js';
import { NEEDED_SERVER, requireServerVersion } from './version.js';

export interface TemporalBinary {
  kind: 'binary';
  path: string;
  origin: 'TEMPORAL_CLI_PATH' | 'cache';
  /** The version of the server, not of the CLI. */
  version: string;
}

export type ResolvedTemporal = { kind: 'external'; address: string } | TemporalBinary;

export interface ResolveOptions {
  onProgress?: OnProgress;
  sources?: readonly Source[];
}

/**
 * Tries each option in order. An explicit setting is used or refused, never silently replaced.
 * @throws Error with one line that says what to do.
 */
export async function resolveTemporal(
  environment: TemporalEnvironment,
  { onProgress = printProgress, sources = SOURCES }: ResolveOptions = {},
): Promise<ResolvedTemporal> {
  const { address, cliPath, cacheFolder } = environment;
  if (address !== undefined) return { kind: 'external', address };
  if (cliPath !== undefined) return chosen(cliPath);

  const path = cachedBinaryPath(cacheFolder);
  const reason = await whyNotUsable(path);
  if (reason !== undefined) {
    await obtainTemporal({ binaryPath: path, reason, sources, onProgress }).catch((cause: unknown) => {
      const other = `or set TEMPORAL_CLI_PATH to a Temporal CLI with server ${NEEDED_SERVER} or newer`;
      throw new Error(`No Temporal server: ${messageOf(cause)}, ${other}.`, { cause });
    });
  }
  return { kind: 'binary', path, origin: 'cache', version: await requireServerVersion(path) };
}

async function chosen(path: string): Promise<TemporalBinary> {
  try {
    return { kind: 'binary', path, origin: 'TEMPORAL_CLI_PATH', version: await requireServerVersion(path) };
  } catch (error) {
    const remedy = 'Set TEMPORAL_CLI_PATH to another one, or unset it to fetch one';
    throw new Error(`TEMPORAL_CLI_PATH is refused: ${messageOf(error)}. ${remedy}.`, { cause: error });
  }
}

async function whyNotUsable(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return `TEMPORAL_CLI_PATH is not set and ${path} does not exist`;
  return requireServerVersion(path).then(() => undefined, messageOf);
}
