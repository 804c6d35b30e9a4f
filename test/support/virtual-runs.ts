import { reconcile } from '../../workflows/entity/engine/reconcile.js';
import type { Awaited, StateStore, EntityDefinition } from '../../workflows/entity/engine/reconcile.js';
import type { AnyStep } from '../../workflows/entity/engine/step.js';
import type { VirtualRuntime } from './virtual-runtime.js';

export interface Given<State extends Awaited, Step extends AnyStep> {
  story: EntityDefinition<State, Step>;
  initial: State;
  /** Each run has a runtime of its own. */
  createRuntime: () => VirtualRuntime;
  /** What a run leaves to the next. */
  carriedOver: (state: State) => State;
  /** What the end makes of the state. */
  ended?: (state: State) => State;
  changed?: (before: State, after: State) => void;
}

export interface Runs<State> {
  cell: StateStore<State>;
  runtime: () => VirtualRuntime;
  count: () => number;
  isOver: () => boolean;
  /** An error that is no failure of a call: a bug. */
  fault: () => Error | undefined;
  /** Starts another run, where the last one is over. */
  reopen: () => void;
  /** The run has grown long: a fresh one takes over as soon as it may. */
  growLong: () => void;
}

export function createRuns<State extends Awaited, Step extends AnyStep>({
  story,
  initial,
  createRuntime,
  carriedOver,
  ended = (state) => state,
  changed = () => undefined,
}: Given<State, Step>): Runs<State> {
  let state = initial;
  let changes = 0;
  let count = 0;
  let isOver = false;
  let fault: Error | undefined;
  let runtime = createRuntime();
  const cell: StateStore<State> = {
    read: () => state,
    update: (by) => {
      changes += 1;
      const before = state;
      state = by(state);
      changed(before, state);
    },
    updateCount: () => changes,
  };
  const run = (): void => {
    count += 1;
    isOver = false;
    reconcile(story, cell, runtime).then(
      ({ outcome, state: left }) => {
        runtime.end();
        if (outcome === 'over' && left === state) {
          state = ended(state);
          isOver = true;
          return;
        }
        if (outcome === 'continue') state = overJson(carriedOver(state));
        runtime = createRuntime();
        run();
      },
      (error: unknown) => {
        fault = error instanceof Error ? error : new Error(String(error));
        isOver = true;
      },
    );
  };
  run();
  return {
    cell,
    runtime: () => runtime,
    count: () => count,
    isOver: () => isOver,
    fault: () => fault,
    reopen: () => {
      runtime = createRuntime();
      run();
    },
    growLong: () => {
      runtime.growLong();
      cell.update((known) => known);
    },
  };
}

/** What Temporal makes of it on its way: what is not plain JSON is lost. */
export const overJson = <T>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
