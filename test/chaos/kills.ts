// Kills the worker, the API and PostgreSQL with SIGKILL, one after the other and then all at once, and starts them again.
import { setTimeout as pause } from 'node:timers/promises';
import type { Detached } from '../../temporal-server/detached.js';

const LIFE_MS = 3000;
export const PROCESSES = ['worker', 'api', 'postgres'] as const;
export type ProcessName = (typeof PROCESSES)[number];
const TURNS: readonly (readonly ProcessName[])[] = [['worker'], ['postgres'], ['api'], PROCESSES];

export interface Restartable {
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function restartable(launch: () => Promise<Detached>): Promise<Restartable> {
  let current = await launch();
  return {
    kill: async () => {
      process.kill(current.pid, 'SIGKILL');
      await current.exited;
    },
    start: async () => {
      current = await launch();
    },
    stop: () => current.stop(),
  };
}

export type KillCounts = Readonly<Record<ProcessName, number>>;

/** For people: `worker 3, api 2, postgres 2`. */
export const killsIn = (counts: KillCounts): string =>
  PROCESSES.map((name) => `${name} ${counts[name]}`).join(', ');

export interface Kills {
  counts(): KillCounts;
  /** Every process was killed in every round, alone and together with the others. */
  isDone(): boolean;
  /** Rejects if a process does not start again. It never resolves. */
  begin(): Promise<never>;
  /** Resolves when all processes run again. */
  rest(): Promise<void>;
}

/** @param rounds how often each process is killed alone, and all at once. */
export function createKills(processes: Readonly<Record<ProcessName, Restartable>>, rounds: number): Kills {
  const counts: Record<ProcessName, number> = { worker: 0, api: 0, postgres: 0 };
  const resting = new AbortController();
  let turns = 0;
  let killing: Promise<void> = Promise.resolve();

  async function killAll(names: readonly ProcessName[]): Promise<void> {
    await Promise.all(names.map((name) => processes[name].kill()));
    await Promise.all(names.map((name) => processes[name].start()));
    for (const name of names) counts[name] += 1;
  }
  const isDone = (): boolean => turns >= TURNS.length * rounds;
  async function killInTurns(): Promise<void> {
    while (!isDone()) {
      await pause(LIFE_MS, undefined, { signal: resting.signal }).catch(() => undefined);
      if (resting.signal.aborted) return;
      await killAll(TURNS[turns % TURNS.length] ?? PROCESSES);
      turns += 1;
    }
  }
  return {
    counts: () => ({ ...counts }),
    isDone,
    begin: () => {
      killing = killInTurns();
      return killing.then(() => new Promise<never>(() => undefined));
    },
    rest: async () => {
      resting.abort();
      await killing;
    },
  };
}
