import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../../cli/stack/child.js';

const LIFE_MS = 5000;

export interface Workers {
  kills(): number;
  beginKilling(): Promise<never>;
  rest(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorkers(start: () => Promise<Program>): Promise<Workers> {
  let current = await start();
  let kills = 0;
  const resting = new AbortController();
  let killing: Promise<void> = Promise.resolve();

  async function killOnAndOn(): Promise<void> {
    for (;;) {
      await pause(LIFE_MS, undefined, { signal: resting.signal }).catch(() => undefined);
      if (resting.signal.aborted) return;
      process.kill(current.pid, 'SIGKILL');
      await current.exited;
      kills += 1;
      current = await start();
    }
  }
  const rest = async (): Promise<void> => {
    resting.abort();
    await killing;
  };
  return {
    kills: () => kills,
    beginKilling: () => {
      killing = killOnAndOn();
      return killing.then(() => new Promise<never>(() => undefined));
    },
    rest,
    close: async () => {
      await rest().finally(() => current.stop());
    },
  };
}
