// What each ordinary workflow needs of Temporal: its handlers record, and its body reads from top to bottom.
import { CancellationScope, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import { handOver } from '../contract.js';
import { CallFailed } from './runtime.js';
import { callsIn, callsUnless, isReached, publishNow } from './temporal.js';
import type { Message } from '../signals.js';
import type { Published } from './publish.js';
import type { Calls } from './runtime.js';

/**
 * Runs the body of a workflow, or of a handler that waits, in a scope that nothing cancels.
 * @param cancelRequested notes "Request Cancellation" of Temporal's UI, which stops nothing. It is called once.
 */
export function runProtected<T>(
  body: (calls: Calls) => Promise<T>,
  cancelRequested?: () => void,
): Promise<T> {
  if (cancelRequested !== undefined) CancellationScope.current().cancelRequested.catch(cancelRequested);
  const scope = new CancellationScope({ cancellable: false });
  return scope.run(() => body(callsIn(scope)));
}

/** Shows where the run stands. The first call leaves an event in any case (docs/decisions/0021-first-task-leaves-a-trace.md). */
export function createPublisher(): (published: Published) => void {
  let isFirst = true;
  return (published) => {
    publishNow(published, isFirst ? 'anyway' : 'news');
    isFirst = false;
  };
}

/** @param askAgain makes the body ask `isLong` again, for example as it replaces the state by a copy. */
export const onHandOver = (askAgain: () => void): void => {
  setHandler(handOver, askAgain);
};

/** @returns false where no run under that id is open. */
export const signalWorkflow = ({ workflowId, signal, arg }: Message): Promise<boolean> =>
  isReached(getExternalWorkflowHandle(workflowId).signal(signal, arg));

/** Makes a call that only reads, and cancels it once its answer would be out of date. @returns undefined then. */
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
