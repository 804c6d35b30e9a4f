// The memory use of the processes, and its limits.
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import type { Stack } from '../stack/bring-up.js';

export interface Memory {
  process: 'api' | 'worker';
  residentMb: number;
  limitMb: number;
}

/**
 * This worker builds the workflow bundle in its own process, so its memory depends on the last garbage collection: 330 MB on
 * an idle machine, up to 450 on a busy one, and 600 to 710 in a demo of a few seconds. Releases contain a prebuilt bundle. The
 * API uses 290 to 320 MB, of which about 50 MB are garbage: the young generation of Node 24 is larger than that of Node 20.
 */
const LIMITS_MB = { api: 400, worker: 850 } as const;
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
    .map(
      (one) => `memory of ${one.process}: expected less than ${one.limitMb} MB, found ${one.residentMb} MB`,
    );
