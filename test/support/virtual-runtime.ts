import { callCodeOf } from '../../domain/provider/call-codes.js';
import { CALL_OPTIONS } from '../../workflows/on-temporal/call-options.js';
import {
  CallFailed,
  type BatchSender,
  type Calls,
  type Child,
  type Runtime,
  type Scope,
} from '../../workflows/engine/runtime.js';
import type { Activities } from '../../activities/index.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallFailure } from '../../workflows/engine/call-failure.js';
import type { Message } from '../../workflows/contracts/signals.js';

export type Attempt<T> =
  | { ok: T }
  | { again: string; afterMs?: (attempt: number) => number; evidence?: CallFailure }
  | { stop: CallFailure };
export type Call<T> = (done: (attempt: Attempt<T>) => void) => void;

export type Answers = {
  [Name in keyof Activities]?: (
    args: Parameters<Activities[Name]>[0],
    scope: { isCancelled: () => boolean },
  ) => Call<Awaited<ReturnType<Activities[Name]>>>;
};

export interface VirtualClock {
  now: () => Instant;
  after: (delayMs: number, run: () => void) => void;
  retryAfter?: (delayMs: number, run: () => void) => void;
}

export interface Neighbours {
  startChild: (child: Child) => Promise<boolean>;
  signal: (to: Message) => Promise<boolean>;
}

let sent = 0;
export const NOTHING_SENT: BatchSender = {
  runId: () => 'run',
  firstRunId: () => 'run',
  taskNumber: () => (sent += 1),
  send: () => undefined,
};

export interface VirtualRuntime extends Runtime {
  settle(): Promise<void>;
  resume(): boolean;
  growLong(): void;
  end(): void;
}

export function createVirtualRuntime(
  clock: VirtualClock,
  answers: Answers,
  { startChild, signal }: Partial<Neighbours> = {},
): VirtualRuntime {
  let waiters: { isSo: () => boolean; resolve: (isSo: boolean) => void }[] = [];
  let isLong = false;
  const scopes: Scope[] = [];
  const resume = (): boolean => {
    const ready = waiters.filter(({ isSo }) => isSo());
    if (ready.length === 0) return false;
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    ready.forEach(({ resolve }) => {
      resolve(true);
    });
    return true;
  };
  return {
    now: clock.now,
    scope: () => {
      const scope = scopeIn(clock, answers, {
        startChild: startChild ?? unreached,
        signal: signal ?? unreached,
      });
      scopes.push(scope);
      return scope;
    },
    end: () => {
      for (const scope of scopes) scope.cancel();
    },
    startChild: startChild ?? unreached,
    publish: () => undefined,
    ...NOTHING_SENT,
    isLong: () => isLong,
    growLong: () => void (isLong = true),
    resume,
    areHandlersFinished: () => true,
    until: (isSo, atMostMs) =>
      new Promise((resolve) => {
        waiters.push({ isSo, resolve });
        if (atMostMs !== undefined)
          clock.after(atMostMs, () => {
            resolve(false);
          });
      }),
    settle: async () => {
      do await new Promise((resolve) => setImmediate(resolve));
      while (resume());
    },
  };
}

class Cancelled extends Error {}

const unreached = (): Promise<boolean> => Promise.resolve(false);

function scopeIn(clock: VirtualClock, answers: Answers, { startChild, signal }: Neighbours): Scope {
  let isCancelled = false;
  const onCancel: (() => void)[] = [];
  const call = (name: string, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const answer = isActivity(name) ? answers[name] : undefined;
      if (!isActivity(name) || answer === undefined)
        throw new Error(`expected an answer for ${name}; found none`);
      const made = answer(args as never, { isCancelled: () => isCancelled });
      const cancel = make(name, made, clock, { resolve, reject });
      onCancel.push(cancel);
      if (isCancelled) cancel();
    });
  const calls = new Proxy<Calls>(NO_CALLS, {
    get: (_, name) => (name === 'signalRun' ? signal : (args: unknown) => call(String(name), args)),
  });
  return {
    now: clock.now,
    call: calls,
    unless: (_isWithdrawn, work) => work(calls),
    startChild,
    signal,
    sleep: (ms) =>
      new Promise((resolve, reject) => {
        onCancel.push(() => {
          reject(new Cancelled());
        });
        clock.after(ms, resolve);
      }),
    cancel: () => {
      isCancelled = true;
      onCancel.forEach((cancel) => {
        cancel();
      });
    },
    get isCancelled() {
      return isCancelled;
    },
  };
}

const NO_CALLS = Object.create(null) as Calls;
const isActivity = (name: string): name is keyof Activities => Object.hasOwn(CALL_OPTIONS, name);

function make(
  name: keyof Activities,
  call: Call<unknown>,
  clock: VirtualClock,
  { resolve, reject }: { resolve: (got: unknown) => void; reject: (error: Error) => void },
): () => void {
  const { retry, scheduleToCloseTimeout, cancellationType } = CALL_OPTIONS[name].options;
  const { retryAfter = clock.after } = clock;
  let isOver = false;
  let isUnderWay = false;
  let isCancelled = false;
  let last: CallFailure = { code: 'unanswered', providerCodes: [] };
  const fail = (failure: CallFailure): void => {
    isOver = true;
    reject(new CallFailed(failure));
  };
  const attempt = (count: number): void => {
    if (isOver || isCancelled) return;
    isUnderWay = true;
    call((outcome) => {
      isUnderWay = false;
      if (isOver) return;
      if (isCancelled) return reject(new Cancelled());
      if ('ok' in outcome) return resolve(outcome.ok);
      if ('stop' in outcome) return fail(outcome.stop);
      last = { providerCodes: [], ...outcome.evidence, code: callCodeOf(outcome.again) };
      if (count === retry?.maximumAttempts) return fail(last);
      retryAfter(outcome.afterMs?.(count) ?? Math.min(1000 * 2 ** (count - 1), 600_000), () => {
        attempt(count + 1);
      });
    });
  };
  if (scheduleToCloseTimeout !== undefined)
    clock.after(msOf(String(scheduleToCloseTimeout)), () => {
      if (!isOver) fail({ ...last, isTimedOut: true });
    });
  attempt(1);
  return () => {
    isCancelled = true;
    const waits = cancellationType === 'WAIT_CANCELLATION_COMPLETED' && isUnderWay;
    if (!waits) reject(new Cancelled());
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
export const msOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? NaN);
