// The running processes. Detects an unexpected end of one, and stops all in reverse order of their start, when the work is
// done or on Ctrl-C.
import { describeExit, type Detached, type Exit } from '../../temporal-server/detached.js';
import { announced } from '../api/waiting.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The exit code of an interrupted process. */
export const INTERRUPTED = 130;
/** One key press arrives up to three times: from the terminal, and forwarded by npm and by tsx. */
const ONE_PRESS_MS = 1_000;

/** A program, or Temporal's server. */
export interface Member extends Detached {
  name: string;
}

/** A process ended unexpectedly. */
export class MemberLost extends Error {
  override readonly name = 'MemberLost';
  constructor(
    readonly member: string,
    exit: Exit,
  ) {
    super(`${member} stopped unexpectedly (${describeExit(exit)})`);
  }
}

/** Ctrl-C was pressed, or the system asked this process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export type ProcessGroup = ReturnType<typeof createProcessGroup>;

/** @param options `isTerse`: print only slow steps. */
export function createProcessGroup(print: (line: string) => void, { isTerse = false } = {}) {
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
  troubled.catch(() => undefined); // Guarded work throws it.
  const leave = (member: Member, exit: Exit): void => {
    alive.splice(alive.indexOf(member), 1);
    if (!isStopping) fail(new MemberLost(member.name, exit));
  };
  return {
    add(member: Member): void {
      alive.push(member);
      void member.exited.then((exit) => leave(member, exit));
    },
    /** The result of the work. Throws if a member is lost or Ctrl-C is pressed first. */
    guard: <T>(work: Promise<T>): Promise<T> => Promise.race([work, troubled]),
    /** Never resolves. Throws `MemberLost` or `Interrupted`. */
    trouble: (): Promise<never> => troubled,
    /** Aborts when the group fails: pending work is then useless. */
    signal: trouble.signal,
    interrupt: (): void => fail(new Interrupted('interrupted')),
    isStopping: (): boolean => isStopping,
    /** Stops the members one after the other, the newest first. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const member of [...alive].reverse()) {
        if (!isTerse) print(`stopping ${member.name}`);
        await announced(print, `waiting for ${member.name} to end; press Ctrl-C again to kill it`, () =>
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
    // It has just ended.
  }
}

export interface Presses {
  first: () => void;
  second: () => void;
}

/** Handles a signal. @param nowMs for tests. */
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

/** The first Ctrl-C stops the group in order, the second immediately. From now on no signal ends this process directly. */
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
