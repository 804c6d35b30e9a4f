// Lets one process fetch the server while the others wait. This only saves work: the rename in binary/obtain.ts keeps the cache consistent.
import { rmSync, utimesSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const HEARTBEAT_MS = 5_000;
const STALE_AFTER_MS = 30_000;
const POLL_MS = 250;

/**
 * Waits until this process holds the lock. The returned function releases it. A holder shows that it is alive by touching
 * the file. A process id would not work, because containers may share the cache.
 */
export async function takeLock(lockFile: string): Promise<() => void> {
  while (!(await isTaken(lockFile))) {
    if (await isStale(lockFile)) await rm(lockFile, { force: true });
    else await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(lockFile), HEARTBEAT_MS);
  const remove = (): void => rmSync(lockFile, { force: true });
  process.once('exit', remove);
  return () => {
    clearInterval(heartbeat);
    process.off('exit', remove);
    remove();
  };
}

async function isTaken(lockFile: string): Promise<boolean> {
  try {
    await writeFile(lockFile, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isStale(lockFile: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lockFile)).mtimeMs > STALE_AFTER_MS;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function touch(lockFile: string): void {
  try {
    utimesSync(lockFile, new Date(), new Date());
  } catch {
    // Another process considered this one dead and fetches too. Both finish, and the last rename wins.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
