// Temporal as the runtime of every story; the only file beside contracts and workflow bodies that imports its SDK.
import { ActivityFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ParentClosePolicy,
  allHandlersFinished,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { CALL_OPTIONS } from './calls.js';
import { handOver } from './contract.js';
import { callFailureOf } from './failure.js';
import { changedAttributes } from './publish.js';
import { CallFailed } from './runtime.js';
import type { Workflow } from '@temporalio/workflow';
import type { Instant } from '../../domain/fact.js';
import type { Activities } from '../../activities/index.js';
import type { Cell } from './loop.js';
import type { Calls, Child, Runtime, Scope } from './runtime.js';

/** Past so many events a run hands over to a fresh one: a sleeping agreement always wakes by replay. */
const LONG_HISTORY = 500;

const now = (): Instant => new Date().toISOString();

/** The runtime of one run. */
export const temporalRuntime = (): Runtime => ({ ...RUNTIME, until: waiting() });

const RUNTIME: Omit<Runtime, 'until'> = {
  now,
  scope: scopeOfTemporal,
  startChild: startAbandoned,
  publish: (published) => {
    const { typedSearchAttributes } = workflowInfo();
    const changed = changedAttributes(typedSearchAttributes, published);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(published.details);
  },
  isLong: () => {
    // A cancelled run ends as that, and hands nothing over.
    if (CancellationScope.current().consideredCancelled) return false;
    const { continueAsNewSuggested, historyLength, targetWorkerDeploymentVersionChanged } = workflowInfo();
    return continueAsNewSuggested || historyLength > LONG_HISTORY || targetWorkerDeploymentVersionChanged;
  },
  areHandlersFinished: allHandlersFinished,
};

/**
 * The SDK keeps each condition in memory for as long as the scope that could cancel it, which would be the run. So they are in
 * one that cannot, and end when the run is cancelled: the next one then throws.
 */
function waiting(): Runtime['until'] {
  const run = CancellationScope.current();
  const waits = new CancellationScope({ cancellable: false });
  return (isSo, atMostMs) => {
    if (atMostMs !== undefined) return condition(isSo, atMostMs);
    if (run.consideredCancelled) return condition(isSo);
    // Taken out of `run`, whose own promise settles later: what follows keeps the order that histories have.
    let news = Promise.resolve();
    void waits.run(() => {
      news = condition(() => isSo() || run.consideredCancelled);
      return Promise.resolve();
    });
    return news;
  };
}

function scopeOfTemporal(): Scope {
  const scope = new CancellationScope();
  return {
    // Made when it is needed: each run that the worker has in memory has the scopes of what goes on in it.
    get call() {
      return callsIn(scope);
    },
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

/** Each activity with the options of its own row. */
function callsIn(scope: CancellationScope): Calls {
  return new Proxy(proxyActivities<Activities>(CALL_OPTIONS.lookUpAgreement), {
    get: (_target, name) => (isCall(name) ? callIn(scope, name) : undefined),
  });
}

const isCall = (name: string | symbol): name is keyof Activities => Object.hasOwn(CALL_OPTIONS, name);

function callIn(scope: CancellationScope, name: keyof Activities) {
  const { [name]: activity } = proxyActivities<Untyped>(CALL_OPTIONS[name]);
  return (args: unknown): Promise<unknown> =>
    scope
      .run(() => activity(args))
      .catch((error: unknown) => {
        // Anything else is a cancellation, or a fault of ours.
        if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
        throw new CallFailed(callFailureOf(error));
      });
}
type Untyped = Record<keyof Activities, (args: unknown) => Promise<unknown>>;

async function startAbandoned({ workflow, workflowId, input, summary, attributes }: Child): Promise<boolean> {
  try {
    await startChild(workflow, {
      workflowId,
      args: [input],
      // It outlives this run: what was sent is followed to its end.
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

/** A fresh run takes over, on the release that is current then (docs/decisions/0012-worker-versions.md). */
export const continueOnCurrentRelease = <W extends Workflow>(...args: Parameters<W>): Promise<never> =>
  makeContinueAsNewFunc<W>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...args);

/** A run that rests is signalled to see whether a newer release is current: its loop looks once more, and does the rest. */
export function listenForHandOver<State>({ change }: Cell<State>): void {
  setHandler(handOver, () => {
    change((state) => state);
  });
}
