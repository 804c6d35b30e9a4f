import { follow } from '../../workflows/entity/loop.js';
import type { Awaited, Cell, Story } from '../../workflows/entity/loop.js';
import type { AnyStep } from '../../workflows/entity/step.js';
import type { VirtualRuntime } from './virtual-runtime.js';

export interface Given<State extends Awaited, Step extends AnyStep> {
  story: Story<State, Step>;
  /** What all its runs keep. */
  cell: Cell<State>;
  /** For each run a new one. */
  createRuntime: () => VirtualRuntime;
  /** What a run leaves to the next. */
  carriedOver: (state: State) => State;
  /** Its last run has ended, and so has the story. */
  ended?: () => void;
}

export interface Run<State> {
  cell: Cell<State>;
  runtime: VirtualRuntime;
}

export interface Life<State> {
  /** Begins a run from what the cell has. @param take what is sent along with the start: it is taken before the loop first looks. */
  begin: (take?: (run: Run<State>) => void) => void;
  /** The one that is going on; nothing before the first, and once it is over. */
  run: () => Run<State> | undefined;
  /** Lets everything happen that can without time passing. @throws what was a fault of the workflow's own. */
  settle: () => Promise<void>;
  /** The run has grown long: a fresh one takes over as soon as it may. */
  handOver: () => Promise<void>;
}

export function createLife<State extends Awaited, Step extends AnyStep>({
  story,
  cell,
  createRuntime,
  carriedOver,
  ended = () => undefined,
}: Given<State, Step>): Life<State> {
  let run: Run<State> | undefined;
  let fault: Error | undefined;
  const begin: Life<State>['begin'] = (take) => {
    const begun = { cell, runtime: createRuntime() };
    run = begun;
    take?.(begun);
    follow(story, cell, begun.runtime).then(
      ({ outcome, state: left }) => {
        if (outcome === 'continue') cell.change(carriedOver);
        else if (left === cell.read()) {
          run = undefined;
          return void ended();
        }
        begin();
      },
      (error: unknown) => void (fault = error instanceof Error ? error : new Error(String(error))),
    );
  };
  const settle = async (): Promise<void> => {
    for (let settled: Run<State> | undefined; run !== settled;) {
      settled = run;
      await run?.runtime.settle();
    }
    if (fault !== undefined) throw fault;
  };
  return {
    begin,
    run: () => run,
    settle,
    handOver: async () => {
      run?.runtime.growLong();
      cell.change((state) => state);
      await settle();
    },
  };
}
