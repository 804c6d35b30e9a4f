// What ordinary workflows need from Temporal. Their handlers update the state, and their body reads from top to bottom.
import { CancellationScope, condition, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import { getRecord, handOver } from '../contract.js';
import {
  fullBatch,
  isRecorded,
  markStored,
  nextBatch,
  recordChanges,
  recordRow,
} from '../records/recording.js';
import { store } from '../records/step.js';
import { CallFailed } from './runtime.js';
import { callsIn, callsUnless, isReached, now, publishNow } from './temporal.js';
import type { Message } from '../signals.js';
import type { Published } from './publish.js';
import type { RecordDefinition, Recorded } from '../records/recording.js';
import type { Calls } from './runtime.js';

/**
 * Runs the body of a workflow, or of an asynchronous handler, in a non-cancellable scope.
 * @param cancelRequested is called once if someone clicks "Request Cancellation" in Temporal's UI. The body continues.
 */
export function runProtected<T>(
  body: (calls: Calls) => Promise<T>,
  cancelRequested?: () => void,
): Promise<T> {
  if (cancelRequested !== undefined) CancellationScope.current().cancelRequested.catch(cancelRequested);
  const scope = new CancellationScope({ cancellable: false });
  return scope.run(() => body(callsIn(scope)));
}

/** Publishes the status of the run. The first call always writes an event (docs/decisions/0021-first-task-leaves-a-trace.md). */
export function createPublisher(): (published: Published) => void {
  let isFirst = true;
  return (published) => {
    publishNow(published, isFirst ? 'anyway' : 'news');
    isFirst = false;
  };
}

export interface Recorder {
  /** Adds what has changed since the last call to the state. Call it in each round of the body. */
  record: () => void;
  /** Stores the changes in the background of the body. Never resolves. Each stored batch replaces the state, which wakes the body. */
  storeAll: (calls: Calls) => Promise<never>;
}

/** Records the state of an ordinary workflow. The workflow may end once `isRecorded`. */
export function createRecorder<State extends Recorded>(
  definition: RecordDefinition<State>,
  run: { state: State },
): Recorder {
  setHandler(getRecord, () => fullBatch(definition, run.state));
  let last = run.state.records === undefined ? undefined : run.state;
  return {
    record: () => {
      const changed = recordChanges(definition, last, run.state, now());
      run.state = recordRow(definition, changed, now());
      last = run.state;
    },
    storeAll: async (calls) => {
      for (;;) {
        await condition(() => !isRecorded(run.state));
        const stored = await store(calls, nextBatch(definition, run.state));
        run.state = markStored(run.state, stored);
      }
    },
  };
}

/** @param askAgain wakes the body so that it checks `isLong`, for example by replacing the state with a copy. */
export const onHandOver = (askAgain: () => void): void => {
  setHandler(handOver, askAgain);
};

/** @returns false if no run with that id is open. */
export const signalWorkflow = ({ workflowId, signal, arg }: Message): Promise<boolean> =>
  isReached(getExternalWorkflowHandle(workflowId).signal(signal, arg));

/** Makes a call that only reads, and cancels it when its answer would be out of date. @returns undefined if it was cancelled. */
export async function callUntil<T>(
  isOutdated: () => boolean,
  work: (calls: Calls) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await callsUnless(CancellationScope.current(), isOutdated, work);
  } catch (error) {
    if (error instanceof CallFailed && error.failure.code === 'withdrawn') return undefined;
    throw error;
  }
}
