// The data that `npm start` stores between runs, and a lock so that only one run uses it at a time.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetPostgres } from '../../postgres-server/start.js';

export interface DataFolder {
  path: string;
  temporal: string;
  sandbox: string;
  records: string;
  secrets: string;
}

export const dataFolder = (path: string): DataFolder => ({
  path,
  temporal: join(path, 'temporal.db'),
  sandbox: join(path, 'sandbox.json'),
  records: join(path, 'records'),
  secrets: join(path, 'development.json'),
});

/** Deletes everything together: only the secrets decrypt the databases, and their tokens belong to the sandbox's grants. */
export async function forget({ temporal, sandbox, records, secrets }: DataFolder): Promise<void> {
  // SQLite's log contains changes not yet in the database file. Neither is usable alone.
  const files = [temporal, `${temporal}-wal`, `${temporal}-shm`, sandbox, secrets];
  await Promise.all(files.map((file) => rm(file, { force: true })));
  await forgetPostgres(records);
}

/**
 * Two servers on one database file would corrupt it, and different ports would not prevent that.
 * @returns a function that releases the folder.
 */
export async function occupy({ path }: DataFolder): Promise<() => Promise<void>> {
  const file = join(path, 'start.pid');
  await mkdir(path, { recursive: true });
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (isAlive(holder)) {
    throw new Error(
      `${path} is in use by npm start, process ${holder}. Stop that process, or choose another folder with --data ` +
        `(if process ${holder} is something else, remove ${file})`,
    );
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
