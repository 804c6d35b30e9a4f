// The paths of the Go module and of its build in the cache.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE_FOLDER = 'temporal-server';

/** The file extension of programs on this system. */
export const BINARY_SUFFIX = process.platform === 'win32' ? '.exe' : '';

/**
 * The folder with package.json and the Go module, searched upwards from this file, because the compiled copy under dist/ has
 * no go.mod beside it.
 */
export function findPackageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const isRoot =
      existsSync(join(folder, 'package.json')) && existsSync(join(folder, MODULE_FOLDER, 'go.mod'));
    if (isRoot) return folder;
    if (folder === dirname(folder)) {
      throw new Error(`no folder above ${from} contains package.json and ${join(MODULE_FOLDER, 'go.mod')}`);
    }
  }
}

/** The Go module that pins the server. */
export function findModuleFolder(): string {
  return join(findPackageRoot(), MODULE_FOLDER);
}

/** Keyed by go.mod and go.sum: a new version gets a new file, and an old checkout still finds its build. */
export async function cachedBinaryPath(cacheFolder: string, moduleFolder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) hash.update(await readFile(join(moduleFolder, name)));
  return join(cacheFolder, hash.digest('hex').slice(0, 12), `temporal${BINARY_SUFFIX}`);
}
