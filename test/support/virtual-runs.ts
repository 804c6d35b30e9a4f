import { recordChanges } from '../../workflows/entity/records/recording.js';
import { reconcile } from '../../workflows/entity/engine/reconcile.js';
import type { Awaited, StateStore, EntityDefinition } from '../../workflows/entity/engine/reconcile.js';
import type { AnyStep } from '../../workflows/entity/engine/step.js';
import type { VirtualRuntime } from './virtual-runtime.js';

export interface Given<State extends Awaited, Step extends AnyStep> {
  story: EntityDefinition<State, Step>;
  initial: State;
  createRuntime: () => VirtualRuntime;
  carriedOver: (state: State) => State;
  ended?: (state: State) => State;
  changed?: (before: State, after: State) => void;
}

export interface Runs<State> {
  cell: StateStore<State>;
  runtime: () => VirtualRuntime;
  count: () => number;
  isOver: () => boolean;
  fault: () => Error | undefined;
  reopen: () => void;
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
  let runtime = createRuntime();
  const recorded = (before: State | undefined, after: State): State =>
    recordChanges(story.record, before, after, runtime.now());
  let state = initial.records === undefined ? recorded(undefined, initial) : initial;
  let changes = 0;
  let count = 0;
  let isOver = false;
  let fault: Error | undefined;
  const cell: StateStore<State> = {
    read: () => state,
    update: (by) => {
      changes += 1;
      const before = state;
      state = recorded(before, by(state));
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

export const overJson = <T>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
