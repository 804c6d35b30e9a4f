// What ordinary workflows need from Temporal. run-ordinary.ts runs those that have records.
import {
  CancellationScope,
  allHandlersFinished,
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { READS_FIRST, handOver, upgrade, type Carried } from '../contracts/every-workflow.js';
import { recordingAfter, type Recorded } from '../engine/recording.js';
import { refused } from '../engine/refusal.js';
import { READING } from './entity.js';
import { goneInWords } from '../../domain/records/remembered.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { RECORDING, callsIn, callsUnless, isReached, publishNow } from './run.js';
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
