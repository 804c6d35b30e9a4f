// Every process that runs now: notices when one is gone unasked, and stops all in the reverse order of their start, when
// the work is done or Ctrl-C is pressed.
import { describeExit, type Detached, type Exit } from '../../temporal-server/detached.js';
import { announced } from '../api/waiting.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The exit code of a process that a person has interrupted. */
export const INTERRUPTED = 130;
/** One press arrives up to three times: from the terminal, and passed on by npm and by tsx. */
const ONE_PRESS_MS = 1_000;

/** A program, or Temporal's server. */
export interface Member extends Detached {
  name: string;
}

/** One of the processes has ended without being asked to. */
export class MemberLost extends Error {
  override readonly name = 'MemberLost';
  constructor(
    readonly member: string,
    exit: Exit,
  ) {
    super(`${member} stopped by itself (${describeExit(exit)})`);
  }
}

/** Ctrl-C was pressed, or the system asked this process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export interface ProcessGroup {
  add(member: Member): void;
  /** The work's answer, unless a member is lost or Ctrl-C is pressed first: then that is thrown. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Never resolves: throws what ends it all, `MemberLost` or `Interrupted`. */
  trouble(): Promise<never>;
  /** Aborts when there is trouble: what is under way then is of no use any more. */
  signal: AbortSignal;
  interrupt(): void;
  isStopping(): boolean;
  /** One after the other, the newest first. */
  stop(): Promise<void>;
  /** At once, and without goodbye. */
  kill(): void;
}

/** @param options `isTerse`: prints only what takes its time. */
export function createProcessGroup(print: (line: string) => void, { isTerse = false } = {}): ProcessGroup {
  const alive: Member[] = [];
  let isStopping = false;
  const trouble = new AbortController();
  let reject: (error: Error) => void = () => undefined;
  const troubled = new Promise<never>((_, rejectTroubled) => {
    reject = rejectTroubled;
  });
  const fail = (error: Error): void => {
    reject(error);
    trouble.abort(error);
  };
  troubled.catch(() => undefined); // it is thrown where something is guarded
  const leave = (member: Member, exit: Exit): void => {
    alive.splice(alive.indexOf(member), 1);
    if (!isStopping) fail(new MemberLost(member.name, exit));
  };
  return {
    add(member) {
      alive.push(member);
      void member.exited.then((exit) => leave(member, exit));
    },
    guard: (work) => Promise.race([work, troubled]),
    trouble: () => troubled,
    signal: trouble.signal,
    interrupt: () => fail(new Interrupted('interrupted')),
    isStopping: () => isStopping,
    async stop() {
      isStopping = true;
      for (const member of [...alive].reverse()) {
        if (!isTerse) print(`stopping ${member.name}`);
        await announced(print, `waiting for ${member.name} to end; Ctrl-C again kills it`, () =>
          member.stop(),
        );
      }
    },
    kill() {
      isStopping = true;
      for (const { pid } of alive) killOne(pid);
    },
  };
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself in this very moment.
  }
}

export interface Presses {
  first: () => void;
  second: () => void;
}

/** What to do when a signal arrives. @param nowMs for tests. */
export function pressed({ first, second }: Presses, nowMs = () => performance.now()): () => void {
  let firstAtMs: number | undefined;
  return () => {
    if (firstAtMs === undefined) {
      firstAtMs = nowMs();
      first();
    } else if (nowMs() - firstAtMs > ONE_PRESS_MS) {
      second();
    }
  };
}

/** The first Ctrl-C stops the group in order, the second at once. From here on nothing else that is pressed ends this process. */
export function onInterrupt(group: ProcessGroup): void {
  const press = pressed({
    first: () => group.interrupt(),
    second: () => {
      group.kill();
      process.exit(INTERRUPTED);
    },
  });
  for (const signal of SIGNALS) process.on(signal, press);
}
