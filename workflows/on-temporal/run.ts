// The runtime on Temporal. Apart from contracts and workflow bodies, only this file imports Temporal's SDK.
import { ActivityFailure, TemporalFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ParentClosePolicy,
  allHandlersFinished,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  makeContinueAsNewFunc,
  proxyActivities,
  proxyLocalActivities,
  proxySinks,
  setCurrentDetails,
  sleep,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';
import { RootCancellationScope } from '@temporalio/workflow/lib/cancellation-scope.js';
import { CALL_OPTIONS } from './call-options.js';
import { fairnessOf, taskQueueOf, type RecordSinks } from '../contracts/every-workflow.js';
import { callFailureOf } from '../engine/call-failure.js';
import { attributesToUpsert, type Published, type Publishing } from '../engine/publish.js';
import { CallFailed, type Calls, type Child, type Runtime, type Scope } from '../engine/runtime.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Activities } from '../../activities/index.js';

/** How many events make a history long. A worker loads an idle run by replay, which takes about 0.5 ms per event. */
const LONG_HISTORY = 200;

/** The workflow's current time. Deterministic on replay. */
export const now = (): Instant => new Date().toISOString();

const { records } = proxySinks<RecordSinks>();

/** What a recorder needs of Temporal. */
export const RECORDING = {
  now,
  runId: () => workflowInfo().runId,
  firstRunId: () => workflowInfo().firstExecutionRunId,
  // Each task begins after more events than the one before.
  taskNumber: () => workflowInfo().historyLength,
  send: records.store,
};

/** Of each run. */
export const RUNTIME: Runtime = {
  ...RECORDING,
  scope: newScope,
  startChild: startAbandoned,
  until: (isSo, atMostMs) => (atMostMs === undefined ? condition(isSo) : condition(isSo, atMostMs)),
  publish: publishNow,
  isLong,
  areHandlersFinished: allHandlersFinished,
};

/** Updates the search attributes and the page of the run. */
export function publishNow(published: Published, to: Publishing): void {
  const upserted = attributesToUpsert(workflowInfo().typedSearchAttributes, published, to);
  if (upserted.length > 0) upsertSearchAttributes(upserted);
  setCurrentDetails(published.details);
}

/** Whether the run should continue as new. Call it only after recorded events: inside the predicate of a wait it would break replay. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historyLength, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY || targetWorkerDeploymentVersionChanged;
}

/** A root scope: the SDK keeps every child scope in memory for as long as its parent (docs/decisions/0025-memory-of-a-resting-run.md). */
function newScope(): Scope {
  const scope = new RootCancellationScope();
  return {
    call: callsIn(scope),
    unless: (isWithdrawn, work) => callsUnless(scope, isWithdrawn, work),
    signal: ({ workflowId, signal, arg }) =>
      scope.run(() => isReached(getExternalWorkflowHandle(workflowId).signal(signal, arg))),
    startChild: (child) => scope.run(() => startAbandoned(child)),
    now,
    sleep: (ms, summary) => scope.run(() => sleep(Math.max(ms, 1), { summary })),
    cancel: () => {
      scope.cancel();
    },
    get isCancelled() {
      return scope.consideredCancelled;
    },
  };
}

/**
 * Makes calls, and withdraws them when `isWithdrawn` becomes true. If no worker has started a call, the server cancels it and reports that. A
 * started call (`SUBMISSION`) is waited for and never ends as cancelled (activities/resource/submit-once.ts). It sends no request that it has not
 * marked before (activities/resource/mark-call.ts).
 */
export async function callsUnless<T>(
  parent: CancellationScope,
  isWithdrawn: () => boolean,
  work: (call: Calls) => Promise<T>,
): Promise<T> {
  const scope = new CancellationScope({ cancellable: true, parent });
  const cancel = (): void => {
    scope.cancel();
  };
  scope.run(() => condition(isWithdrawn)).then(cancel, () => undefined);
  try {
    return await work(callsIn(scope));
  } catch (error) {
    if (!isCancellation(error) || parent.consideredCancelled) throw error;
    throw new CallFailed({ code: 'withdrawn', providerCodes: [] });
  } finally {
    cancel();
  }
}

/** Whether a signal reached an open run. The only refusal that we expect is that of an ended run. */
export const isReached = (sent: Promise<void>): Promise<boolean> =>
  sent.then(
    () => true,
    (error: unknown) => {
      if (isCancellation(error)) throw error;
      return false;
    },
  );

/** Calls that Temporal's cancellation may interrupt because they change nothing, such as reads and sweeps. */
export const interruptibleCalls = (): Calls => callsIn(CancellationScope.current());

/** Runs the work of a schedule. Shows its purpose while it runs, and its findings at the end. @param work receives the result of the previous run. */
export async function runScheduled<End>(
  doing: string,
  work: (calls: Calls, before: unknown) => Promise<End>,
  found: (end: End) => string,
): Promise<End> {
  setCurrentDetails(doing);
  const end = await work(interruptibleCalls(), workflowInfo().lastResult);
  setCurrentDetails(found(end));
  return end;
}

/** The activities, each with its own options, in this scope. */
export function callsIn(scope: CancellationScope): Calls {
  return new Proxy(proxyActivities<Activities>(CALL_OPTIONS.lookUpAgreement.options), {
    get: (_target, name) => (isCall(name) ? callIn(scope, name) : undefined),
  });
}

const isCall = (name: string | symbol): name is keyof Activities => Object.hasOwn(CALL_OPTIONS, name);

function callIn(scope: CancellationScope, name: keyof Activities) {
  const call = CALL_OPTIONS[name];
  const { taskQueue } = workflowInfo();
  return (args: unknown): Promise<unknown> => {
    const { [name]: activity } =
      call.isLocal === true
        ? proxyLocalActivities<Untyped>(call.options)
        : proxyActivities<Untyped>({
            ...call.options,
            taskQueue: taskQueueOf(taskQueue, call.queue),
            priority: fairnessOf(args),
          });
    return scope
      .run(() => activity(args))
      .catch((error: unknown) => {
        // Any other error is a cancellation or a bug. The failure of a local activity arrives without an ActivityFailure around it.
        if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
        throw new CallFailed(callFailureOf(error instanceof ActivityFailure ? error : { cause: error }));
      });
  };
}
type Untyped = Record<keyof Activities, (args: unknown) => Promise<unknown>>;

async function startAbandoned({ workflow, workflowId, input, summary, attributes }: Child): Promise<boolean> {
  try {
    await startChild(workflow, {
      workflowId,
      args: [input],
      // The child outlives this run, because it must be followed to its end.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: summary,
      typedSearchAttributes: [...attributes],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Continues as new on the current worker release (docs/decisions/0012-worker-versions.md). */
export const continueOnCurrentRelease = <W extends Workflow>(...args: Parameters<W>): Promise<never> =>
  makeContinueAsNewFunc<W>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...args);
