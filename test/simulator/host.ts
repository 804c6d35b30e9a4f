import { isMadeOnce } from './workers.js';
import {
  createVirtualRuntime,
  type Answers,
  type Attempt,
  type Neighbours,
  type VirtualClock,
} from '../support/virtual-runtime.js';
import { createVirtualRecords } from '../support/virtual-records.js';
import { createRuns, overJson } from '../support/virtual-runs.js';
import type { MessageHandler } from '../../workflows/engine/handlers.js';
import type { RememberedRow } from '../../domain/records/remembered.js';
import type { Awaited, EntityDefinition } from '../../workflows/engine/reconcile.js';
import type { AnyStep } from '../../workflows/engine/step.js';
import type { Agenda } from '../support/agenda.js';

export interface Host<State> {
  state(): State;
  isOver(): boolean;
  change(by: (state: State) => State): void;
  signal<Arg>(handler: MessageHandler<State, Arg, unknown>, arg: Arg, reopens?: boolean): void;
  update<Arg, Answer>(
    handler: MessageHandler<State, Arg, Answer>,
    arg: Arg,
    done: (answer: Answer | Error) => void,
    reopens?: boolean,
  ): void;
  query(read: (state: State) => void): void;
  /** Temporal deletes the closed run. False if there is none. @param isTerminated its last batch has left no state. */
  forget(isTerminated: boolean): boolean;
  /** One of the forgotten runs has left no state. */
  isLost(): boolean;
  /** Temporal has deleted one of its runs, so that earlier events may be in the records only. */
  isContinued(): boolean;
  handOver(): void;
  stall(ms: number): void;
  resume(): boolean;
  fault(): Error | undefined;
  changedAtMs(): number;
  recordsFault(): string | undefined;
  hasRecorded(factId: string): boolean;
}

export interface Given<State extends Awaited, Step extends AnyStep> {
  definition: EntityDefinition<State, Step>;
  initial: State;
  carriedOver: (state: State) => State;
  ended?: (state: State) => State;
  /** The state of a run after one that Temporal has forgotten. */
  remember?: (row: RememberedRow) => State;
  agenda: Agenda;
  localNow: () => string;
  answers: Answers;
  neighbours?: Partial<Neighbours>;
  touched: () => void;
  stepped: (step: string) => void;
}

const UNREAD = { attributes: [], removed: [], details: '' };

export function createHost<State extends Awaited, Step extends AnyStep>(
  given: Given<State, Step>,
): Host<State> {
  const { agenda, localNow } = given;
  let stalledUntilMs = -Infinity;
  let waiting: (() => void)[] = [];
  let changedAtMs = agenda.nowMs();
  const reach = (run: () => void): void => {
    given.touched();
    run();
  };
  const takeIn = (): void => {
    if (agenda.nowMs() < stalledUntilMs) return agenda.after(stalledUntilMs - agenda.nowMs(), takeIn);
    const all = waiting;
    waiting = [];
    all.forEach(reach);
  };
  const gate = (run: () => void): void => {
    if (agenda.nowMs() >= stalledUntilMs && waiting.length === 0) return reach(run);
    waiting.push(run);
    if (waiting.length === 1) takeIn();
  };
  const clock: VirtualClock = {
    now: localNow,
    after: (ms, run) => {
      agenda.after(ms, () => {
        gate(run);
      });
    },
    retryAfter: agenda.after,
  };
  const records = createVirtualRecords(
    given.definition.record,
    (call) => call % 5 > 2,
    (stored) => cell.recorder.recordsAway(stored),
  );
  const answers = gated({ ...given.answers, ...records.answers }, gate);
  let latest = given.initial;
  const runs = createRuns({
    story: watched(given),
    initial: given.initial,
    createRuntime: () => ({ ...createVirtualRuntime(clock, answers, given.neighbours), send: records.send }),
    carriedOver: given.carriedOver,
    ended: (state) => overJson(given.carriedOver(given.ended?.(state) ?? state)),
    changed: (before, after) => {
      given.touched();
      latest = after;
      if (after !== before) changedAtMs = agenda.nowMs();
    },
  });
  const { cell, isOver, runtime } = runs;
  let forgotten: RememberedRow | undefined;
  let isLost = false;
  let isContinued = false;
  /** Begins a new run, before the message is handled that has started it. */
  const recall = (): void => {
    if (forgotten === undefined || given.remember === undefined) return;
    latest = given.remember(forgotten);
    isLost ||= forgotten.carried === undefined;
    isContinued = true;
    forgotten = undefined;
    runs.reopen(latest);
  };
  return {
    state: cell.read,
    isOver,
    change: (by) => {
      if (!isOver()) cell.update(by);
    },
    signal: (handler, arg, reopens = false) => {
      gate(() => {
        if (isOver() && !reopens) return;
        recall();
        void handler.handle(cell, runtime(), arg);
        if (isOver()) runs.reopen();
      });
    },
    update: (handler, arg, done, reopens = false) => {
      gate(() => {
        // A command to a forgotten run starts one, which decides.
        if (isOver() && !reopens && forgotten === undefined) return done(new Error('the workflow has ended'));
        recall();
        Promise.resolve()
          .then(() => {
            handler.validate?.(cell.read(), arg, localNow());
            const answer = handler.handle(cell, runtime(), arg);
            if (isOver()) runs.reopen();
            return answer;
          })
          .then(done, done);
      });
    },
    query: (read) => {
      gate(() => {
        read(cell.read());
      });
    },
    forget: (isTerminated) => {
      const row = records.remembered();
      if (!isOver() || runs.fault() !== undefined || row === undefined) return false;
      forgotten = isTerminated ? { ...row, carried: undefined } : row;
      return true;
    },
    isLost: () => isLost,
    isContinued: () => isContinued,
    handOver: runs.growLong,
    stall: (ms) => void (stalledUntilMs = Math.max(stalledUntilMs, agenda.nowMs() + ms)),
    resume: () => runtime().resume(),
    fault: runs.fault,
    changedAtMs: () => changedAtMs,
    recordsFault: () => records.faultIn(latest),
    hasRecorded: records.hasFact,
  };
}

function watched<State extends Awaited, Step extends AnyStep>({
  definition,
  stepped,
}: Given<State, Step>): EntityDefinition<State, Step> {
  let before: readonly string[] = [];
  return {
    ...definition,
    publish: () => UNREAD,
    desiredSteps: (state) => {
      const steps = definition.desiredSteps(state);
      const keys = steps.map((step) => JSON.stringify(step));
      steps.forEach((step, index) => {
        if (!before.includes(keys[index] ?? '')) stepped(step.do);
      });
      before = keys;
      return steps;
    },
  };
}

function gated(answers: Answers, gate: (run: () => void) => void): Answers {
  type Given = { isCancelled: () => boolean };
  type Any = (args: never, scope: Given) => (done: (attempt: Attempt<unknown>) => void) => void;
  const table = Object.entries(answers as Record<string, Any>).map(([name, answer]): [string, Any] => [
    name,
    (args, scope) => {
      const call = answer(args, scope);
      return (done) => {
        call((attempt) => {
          if ('again' in attempt && !isMadeOnce(name) && !scope.isCancelled()) return done(attempt);
          gate(() => {
            done(attempt);
          });
        });
      };
    },
  ]);
  return Object.fromEntries(table);
}
