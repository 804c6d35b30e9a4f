// What `npm start` keeps between runs, and that only one run at a time keeps it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface DataFolder {
  path: string;
  temporal: string;
  sandbox: string;
  secrets: string;
}

export const dataFolder = (path: string): DataFolder => ({
  path,
  temporal: join(path, 'temporal.db'),
  sandbox: join(path, 'sandbox.json'),
  secrets: join(path, 'development.json'),
});

/** All of it together: the secrets seal what is in the database, and the sandbox's grants are the ones that are sealed. */
export async function forget({ temporal, sandbox, secrets }: DataFolder): Promise<void> {
  // SQLite's log beside the database holds what was not yet moved into it: one is worth nothing without the other.
  const files = [temporal, `${temporal}-wal`, `${temporal}-shm`, sandbox, secrets];
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

/**
 * Two servers on one database file would spoil it, and nothing else stops them when the ports differ.
 * @returns what gives the folder back.
 */
export async function occupy({ path }: DataFolder): Promise<() => Promise<void>> {
  const file = join(path, 'start.pid');
  await mkdir(path, { recursive: true });
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (isAlive(holder)) {
    throw new Error(
      `${path} is in use by npm start, process ${holder}; stop that one, or name another folder with --data ` +
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
