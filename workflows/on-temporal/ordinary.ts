// What ordinary workflows need from Temporal. Their handlers update the state, and their body reads from top to bottom.
import {
  CancellationScope,
  allHandlersFinished,
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { raise } from '../../domain/attention/flags.js';
import {
  READS_FIRST,
  getRecord,
  handOver,
  raiseFlag,
  recordsAway,
  upgrade,
  type Carried,
} from '../contracts/every-workflow.js';
import { createRecorder } from '../engine/recorder.js';
import {
  flagBacklog,
  fullBatch,
  recordingAfter,
  toCarry,
  type RecordDefinition,
  type Recorded,
} from '../engine/recording.js';
import { refused } from '../engine/refusal.js';
import { READING } from './entity.js';
import { goneInWords } from '../../domain/records/remembered.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { RECORDING, callsIn, callsUnless, isReached, now, publishNow } from './run.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { Message } from '../contracts/signals.js';
import type { ResourceName } from '../../domain/resources.js';
import type { Published } from '../engine/publish.js';

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

/** A run without a state, which an event has started. */
interface Remembering<State> {
  resource: ResourceName;
  uid: string;
  fact?: Fact | undefined;
  /** The state if there is no record. */
  begin: () => State;
  /** The state from the view in its row, if its last run has left none. */
  lost: (view: object) => State;
  /** For its handlers. */
  soon: Soon<unknown>;
}

/**
 * Reads the record of a run without a state, because Temporal may have forgotten an earlier run. Waits while the database is away.
 * @throws ApplicationFailure `gone` if the record has expired or was erased. An operator gets the events.
 */
export async function remember<State extends Recorded>({
  resource,
  uid,
  fact,
  begin,
  lost,
  soon,
}: Remembering<State>): Promise<State> {
  setCurrentDetails(READING);
  const { readRecord, keepGone } = callsIn(new CancellationScope({ cancellable: false }));
  const found = await readRecord({ resource, uid });
  if (found === undefined) return begin();
  if (found.is === 'gone') {
    const { why, since } = found;
    const error = refused('gone', goneInWords(`this ${resource}`, found));
    const keep = (event: Fact): Promise<void> => keepGone({ resource, uid, why, since, fact: event });
    soon.gone = { error, keep };
    if (fact !== undefined) await keep(fact);
    await condition(allHandlersFinished);
    throw error;
  }
  const { carried, view } = found;
  const state = carried === undefined ? lost(view) : upgrade(carried as Carried<State>);
  return { ...state, records: recordingAfter(found, RECORDING.firstRunId()) };
}

/** What handlers need of a run that may still read its record. */
export interface Soon<Run> {
  run?: Run;
  /** Its record has expired or was erased. */
  gone?: { error: Error; keep: (fact: Fact) => Promise<void> };
}

/** For queries. @throws Error before the run has its state. The caller then repeats the query. */
export function runNow<Run>({ run }: Soon<Run>): Run {
  if (run === undefined) throw new Error(READS_FIRST);
  return run;
}

const isReady = ({ run, gone }: Soon<unknown>): boolean => run !== undefined || gone !== undefined;

/** For updates. @throws ApplicationFailure `gone` */
export async function runSoon<Run>(soon: Soon<Run>): Promise<Run> {
  if (!isReady(soon)) await condition(() => isReady(soon));
  if (soon.gone !== undefined) throw soon.gone.error;
  return runNow(soon);
}

/** For the signal of an event. @returns undefined if the record is gone. Then an operator gets the event. */
export async function runSoonFor<Run>(soon: Soon<Run>, fact: Fact): Promise<Run | undefined> {
  if (!isReady(soon)) await condition(() => isReady(soon));
  await soon.gone?.keep(fact);
  return soon.run;
}

export interface OrdinaryRecorder<State> {
  /**
   * Hands what has changed since the last round to the worker. Call it in each round of the body, and before it returns.
   * @param end only before the workflow ends, if an event may start it again: what that run needs to go on.
   */
  note: (end?: Carried<State>) => void;
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
  setHandler(raiseFlag, (flag) => {
    run.state = { ...run.state, attention: raise(run.state.attention, flag) };
  });
  setHandler(getRecord, () =>
    fullBatch(definition, run.state, recorder.recording(), { now: now(), runId: RECORDING.runId() }),
  );
  return {
    note: (end) => {
      const fault = recorder.fault();
      if (fault !== undefined) throw fault;
      run.state = flagBacklog(run.state, recorder.recording(), now());
      recorder.note(last, run.state);
      last = run.state;
      recorder.send(end);
    },
    store: recorder.store,
    isRecorded: recorder.isRecorded,
    carried: () => ({ ...run.state, records: toCarry(recorder.recording()) }),
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
