// What another process uses, from the kernel's statistics (Linux).
import { readFile } from 'node:fs/promises';

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
