// The path of the Temporal CLI in the cache.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A release with server 1.32. requirements.txt names the same one. */
export const CLI_VERSION = '1.9.1';

const REQUIREMENTS = join('temporal-server', 'requirements.txt');

/** The file extension of programs on this system. */
export const BINARY_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * The folder with package.json, searched upwards from this file, because the compiled copy under dist/ has no
 * requirements.txt beside it.
 */
export function findPackageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, REQUIREMENTS))) return folder;
    if (folder === dirname(folder)) {
      throw new Error(`no folder above ${from} contains package.json and ${REQUIREMENTS}`);
    }
  }
}

/** The file that pins the wheel by its hashes. */
export function findRequirements(): string {
  return join(findPackageRoot(), REQUIREMENTS);
}

/** A new version gets a new file, and an old checkout still finds its own. Machines of two kinds may share a home folder. */
export function cachedBinaryPath(cacheFolder: string): string {
  const key = `${CLI_VERSION}-${process.platform}-${process.arch}`;
  return join(cacheFolder, key, `temporal${BINARY_SUFFIX}`);
}
