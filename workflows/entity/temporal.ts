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
import { withFlag } from './state.js';
import type { Cell } from './loop.js';
import type { Calls, Child, Runtime, Scope } from './runtime.js';
import type { Flagged } from './state.js';

/** Past so many events a run hands over to a fresh one: a sleeping agreement always wakes by replay, half a millisecond an event. */
const LONG_HISTORY = 200;

const now = (): Instant => new Date().toISOString();

/**
 * The runtime of one run. All that goes on in it is in one scope that nothing cancels: Temporal's own cancellation would abandon money,
 * or a grant, that is under way (`flagCancelRequest`); and the SDK keeps a condition in memory for as long as its scope may be cancelled.
 */
export function temporalRuntime(): Runtime {
  const shield = new CancellationScope({ cancellable: false });
  return {
    ...RUNTIME,
    scope: () => scopeIn(shield),
    startChild: (child) => shield.run(() => startAbandoned(child)),
    until: (isSo, atMostMs) =>
      shield.run<unknown>(() => (atMostMs === undefined ? condition(isSo) : condition(isSo, atMostMs))),
  };
}

const RUNTIME: Pick<Runtime, 'now' | 'publish' | 'isLong' | 'areHandlersFinished'> = {
  now,
  publish: (published) => {
    const { typedSearchAttributes } = workflowInfo();
    const changed = changedAttributes(typedSearchAttributes, published);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(published.details);
  },
  isLong: () => {
    const { continueAsNewSuggested, historyLength, targetWorkerDeploymentVersionChanged } = workflowInfo();
    return continueAsNewSuggested || historyLength > LONG_HISTORY || targetWorkerDeploymentVersionChanged;
  },
  areHandlersFinished: allHandlersFinished,
};

function scopeIn(parent: CancellationScope): Scope {
  const scope = new CancellationScope({ cancellable: true, parent });
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

/** For what may be cancelled as it changes nothing: a reading, a sweep. */
export const interruptibleCalls = (): Calls => callsIn(CancellationScope.current());

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

/** "Request Cancellation" in Temporal's UI is shown as a flag that says which command does what was meant. */
export function flagCancelRequest<State extends Flagged>({ change }: Cell<State>, next: string): void {
  CancellationScope.current().cancelRequested.catch(() => {
    change((state) =>
      withFlag(state, 'cancel_requested', now(), {
        detail:
          'A request to cancel was sent to Temporal. The workflow goes on: without it, what is at the provider would be left alone.',
        next,
      }),
    );
  });
}
