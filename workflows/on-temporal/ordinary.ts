// What ordinary workflows need from Temporal. Their handlers update the state, and their body reads from top to bottom.
import { CancellationScope, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import { getRecord, handOver, recordsAway } from '../contracts/every-workflow.js';
import { createRecorder } from '../engine/recorder.js';
import { flagBacklog, fullBatch } from '../engine/recording.js';
import { CallFailed } from '../engine/runtime.js';
import { RECORDING, callsIn, callsUnless, isReached, now, publishNow } from './run.js';
import type { Message } from '../contracts/signals.js';
import type { Published } from '../engine/publish.js';
import type { RecordDefinition, Recorded } from '../engine/recording.js';
import type { Calls } from '../engine/runtime.js';

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

export interface OrdinaryRecorder<State> {
  /** Hands what has changed since the last round to the worker. Call it in each round of the body, and before it returns. */
  note: () => void;
  /** While the records are away: starts to store what waits. Call it in each round, after all other commands. */
  store: () => void;
  /** The workflow may end only then. */
  isRecorded: () => boolean;
  /** The state for the next run, with what the records do not have yet. */
  carried: () => State;
}

/** Records the state of an ordinary workflow. An activity that has stored replaces the state, which wakes the body. */
export function createOrdinaryRecorder<State extends Recorded>(
  definition: RecordDefinition<State>,
  run: { state: State },
): OrdinaryRecorder<State> {
  const { records: carried } = run.state;
  run.state = { ...run.state, records: undefined };
  const recorder = createRecorder(
    definition,
    {
      ...RECORDING,
      read: () => run.state,
      onStored: () => void (run.state = { ...run.state }),
      call: () => callsIn(new CancellationScope({ cancellable: false })),
    },
    carried,
  );
  let last = carried === undefined ? undefined : run.state;
  setHandler(recordsAway, recorder.recordsAway);
  setHandler(getRecord, () =>
    fullBatch(definition, run.state, recorder.recording(), { now: now(), runId: RECORDING.runId() }),
  );
  return {
    note: () => {
      const fault = recorder.fault();
      if (fault !== undefined) throw fault;
      run.state = flagBacklog(run.state, recorder.recording(), now());
      recorder.note(last, run.state);
      last = run.state;
      recorder.send();
    },
    store: recorder.store,
    isRecorded: recorder.isRecorded,
    carried: () => ({ ...run.state, records: recorder.recording() }),
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
