// What another process uses, from the kernel's statistics (Linux).
import { readFile, readdir } from 'node:fs/promises';

const MS_PER_TICK = 10;
const PAGE_BYTES = 4096;
const BYTES_PER_MB = 1024 * 1024;

/** User and system time since its start, in milliseconds. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Its resident memory in MB. */
export async function memoryMbOf(pid: number): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return Math.round((Number(pages) * PAGE_BYTES) / BYTES_PER_MB);
}

/**
 * User and system time of a process and its direct children, in milliseconds. It includes children that have ended, so a server
 * with one process per connection, as PostgreSQL, is complete.
 */
export async function familyCpuMsOf(pid: number): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(ids.map((id) => statOf(Number(id))));
  const [own] = found.filter((stat) => stat?.pid === pid);
  if (own === undefined) throw new Error(`expected a process ${pid}; found none`);
  return found
    .filter((stat) => stat !== undefined)
    .filter((stat) => stat.parent === pid)
    .reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, own.ownMs + own.endedMs);
}

/** Undefined if the process has just ended. */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const ticks = (...at: number[]) => at.reduce((sum, one) => sum + (fields[one] ?? 0), 0) * MS_PER_TICK;
  return { pid, parent: fields[1], ownMs: ticks(11, 12), endedMs: ticks(13, 14) };
}
