// How many workflow runs a worker caches by default.
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { getHeapStatistics } from 'node:v8';

/**
 * Measured with 2000 resting agreements: 261 kB of the process's memory for each run, of which 76 kB are heap
 * (docs/decisions/0025-memory-of-a-resting-run.md). The rest is garbage between collections, and the native core.
 */
const BYTES_EACH = 256 * 1024;
const FEWEST = 100;

export interface Memory {
  /** The limit of the container, or the memory of the machine. */
  total: number;
  /** The limit of V8's heap. The workflow thread has a heap of its own with the same limit. */
  heap: number;
}

/** Half of the memory is for cached runs. All in bytes. */
export function runsThatFit({ total, heap }: Memory = memoryOfProcess()): number {
  return Math.max(FEWEST, Math.floor(Math.min(total, 2 * heap) / 2 / BYTES_EACH));
}

function memoryOfProcess(): Memory {
  // Without a limit, the system reports a number beyond the machine's memory.
  return {
    total: Math.min(constrainedMemory() || totalmem(), totalmem()),
    heap: getHeapStatistics().heap_size_limit,
  };
}
