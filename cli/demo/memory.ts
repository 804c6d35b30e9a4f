// How much memory a process holds now.
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';

const KIB_PER_MB = 1_000_000 / 1024;

/** Resident megabytes (10^6 bytes). */
export async function residentMb(pid: number): Promise<number> {
  const kib = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return Math.round(kib / KIB_PER_MB);
}

async function fromProc(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

async function fromPs(pid: number): Promise<number> {
  return Number((await execa('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim());
}
