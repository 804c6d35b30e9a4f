// How much memory the processes use now, and may use at most.
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import type { Stack } from '../stack/bring-up.js';

export interface Memory {
  process: 'api' | 'worker';
  residentMb: number;
  limitMb: number;
}

/**
 * The worker makes the workflow bundle in its own process here, so what it holds afterwards hangs on when garbage was last collected: 330 MB on a
 * quiet machine, up to 450 on a busy one. What ships has its bundle made before.
 */
const LIMITS_MB = { api: 220, worker: 600 } as const;
const KIB_PER_MB = 1_000_000 / 1024;

export async function memoryOf({ pids }: Stack): Promise<Memory[]> {
  const measured = async (process: Memory['process']): Promise<Memory> => ({
    process,
    residentMb: await residentMb(pids[process]),
    limitMb: LIMITS_MB[process],
  });
  return [await measured('api'), await measured('worker')];
}

/** Resident megabytes (10^6 bytes). */
async function residentMb(pid: number): Promise<number> {
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

export const memoryInWords = (memory: readonly Memory[]): string =>
  `memory: ${memory.map((one) => `${one.process} ${one.residentMb} MB (limit ${one.limitMb})`).join(', ')}`;

export const memoryDifferences = (memory: readonly Memory[]): string[] =>
  memory
    .filter(({ residentMb, limitMb }) => residentMb >= limitMb)
    .map((one) => `memory of ${one.process}: expected less than ${one.limitMb} MB, met ${one.residentMb} MB`);
