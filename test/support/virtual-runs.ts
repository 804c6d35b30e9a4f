import { isDeepStrictEqual } from 'node:util';
import { createRecorder, type Recorder } from '../../workflows/engine/recorder.js';
import {
  reconcile,
  type Awaited,
  type StateStore,
  type EntityDefinition,
} from '../../workflows/engine/reconcile.js';
import { toCarry } from '../../workflows/engine/recording.js';
import type { AnyStep } from '../../workflows/engine/step.js';
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
  /** @param from the state of the new run. By default the state of the last one. */
  reopen: (from?: State) => void;
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
  let state = initial;
  let changes = 0;
  let count = 0;
  let isOver = false;
  let fault: Error | undefined;
  const beginRecorder = (): Recorder<State> => {
    const { records } = state;
    const created = createRecorder(
      story.record,
      {
        now: () => runtime.now(),
        runId: () => runtime.runId(),
        firstRunId: () => runtime.firstRunId(),
        taskNumber: () => runtime.taskNumber(),
        send: (batch) => {
          runtime.send(batch);
        },
        read: () => state,
        onStored: () => void (changes += 1),
        call: () => runtime.scope().call,
      },
      records,
    );
    state = { ...state, records: undefined };
    if (records === undefined) created.note(undefined, state);
    return created;
  };
  let recorder = beginRecorder();
  const recorded = (): State => ({ ...state, records: toCarry(recorder.recording()) });
  const cell: StateStore<State> = {
    read: () => state,
    update: (by) => {
      changes += 1;
      const before = state;
      state = by(state);
      recorder.note(before, state);
      changed(before, state);
    },
    updateCount: () => changes,
    get recorder() {
      return recorder;
    },
  };
  const run = (): void => {
    count += 1;
    isOver = false;
    reconcile(story, cell, runtime).then(
      ({ outcome, state: left }) => {
        runtime.end();
        const isLast = isDeepStrictEqual(left, recorded()) && left.records?.isAway !== true;
        if (outcome === 'over' && isLast) {
          state = ended(recorded());
          isOver = true;
          return;
        }
        if (outcome === 'continue') state = overJson(carriedOver(recorded()));
        else state = recorded();
        runtime = createRuntime();
        recorder = beginRecorder();
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
    reopen: (from = recorded()) => {
      state = from;
      runtime = createRuntime();
      recorder = beginRecorder();
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
