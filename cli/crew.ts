// Everything that runs now: notices when one is gone unasked, and stops all in the reverse order of their start.
import type { TemporalExit } from '../tools/temporal/start.js';
import { describeLoss, type Member } from './child.js';
import { announced, type Say } from './progress.js';

/** One of the processes has ended although nobody asked it to. */
export class MemberLost extends Error {
  override readonly name = 'MemberLost';
  constructor(
    readonly member: string,
    exit: TemporalExit,
  ) {
    super(describeLoss(member, exit));
  }
}

/** Somebody pressed Ctrl-C, or the system asked us to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export interface Crew {
  add(member: Member): void;
  /** The work's answer, unless a member is lost or we are interrupted first: then that is thrown. */
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

/** @param options `isTerse`: says only what takes its time. */
export function createCrew(say: Say, { isTerse = false } = {}): Crew {
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
  troubled.catch(() => undefined); // whoever guards something hears of it
  const leave = (member: Member, exit: TemporalExit): void => {
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
        if (!isTerse) say(`stopping ${member.name}`);
        await announced(say, `waiting for ${member.name} to end; Ctrl-C again kills it`, () => member.stop());
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
