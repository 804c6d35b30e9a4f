// Temporal as the runtime of every workflow; the only file beside contracts and workflow bodies that imports its SDK.
import { ActivityFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
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
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { RootCancellationScope } from '@temporalio/workflow/lib/cancellation-scope.js';
import { ACTIVITY_OPTIONS, LOCAL, LOCAL_OPTIONS, QUEUE_OF } from './activity-options.js';
import { fairnessOf, handOver, taskQueueOf } from '../contract.js';
import { callFailureOf } from './call-failure.js';
import { createStateStore, reconcile } from './reconcile.js';
import { attributesToUpsert } from './publish.js';
import { CallFailed } from './runtime.js';
import type { Workflow } from '@temporalio/workflow';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Activities } from '../../../activities/index.js';
import type { AnyHandlers, Handlers, Messages } from './handlers.js';
import type { Awaited, StateStore, RunEnd, EntityDefinition } from './reconcile.js';
import type { Published, Publishing } from './publish.js';
import type { Calls, Child, Runtime, Scope } from './runtime.js';
import type { AnyStep } from './step.js';

/** Past so many events a run hands over to a fresh one: a sleeping agreement is always loaded by replay, half a millisecond an event. */
const LONG_HISTORY = 200;

/** The time of the workflow, which replays. */
export const now = (): Instant => new Date().toISOString();

interface EntityRun<State extends Awaited, Step extends AnyStep, Sent extends Messages> {
  definition: EntityDefinition<State, Step>;
  /** What may be sent to it, by the contract; and how each is taken. */
  messages: Sent;
  handlers: Handlers<State, Sent>;
  /** With what the run before has left (`resumed`), or anew. */
  begin: (now: Instant) => State;
  /** "Request Cancellation" in Temporal's UI stops nothing: it is noted. */
  cancelRequested?: (state: State, now: Instant) => State;
}

/**
 * One run of a workflow. All that goes on in it is in one scope that nothing cancels: Temporal's own cancellation would abandon money,
 * or a grant, that is under way; and the SDK keeps a condition in memory for as long as its scope may be cancelled.
 * @returns the last state, and whether a fresh run takes over.
 */
export function runEntity<State extends Awaited, Step extends AnyStep, Sent extends Messages>(
  run: EntityRun<State, Step, Sent>,
): Promise<RunEnd<State>> {
  const { definition, begin, cancelRequested } = run;
  const shield = new CancellationScope({ cancellable: false });
  const runtime: Runtime = { ...RUNTIME, scope: newScope };
  const store = createStateStore(begin(now()));
  registerHandlers(run, store, runtime, shield);
  if (cancelRequested !== undefined)
    CancellationScope.current().cancelRequested.catch(() => {
      store.update((state) => cancelRequested(state, now()));
    });
  return shield.run(() => reconcile(definition, store, runtime));
}

/** What is sent to it is recorded, and nothing is done: the loop decides. */
function registerHandlers<State extends Awaited, Sent extends Messages>(
  { messages, handlers }: Pick<EntityRun<State, AnyStep, Sent>, 'messages' | 'handlers'>,
  store: StateStore<State>,
  runtime: Runtime,
  shield: CancellationScope,
): void {
  // A run that rests is signalled to see whether a newer release is current: its loop looks once more, and does the rest.
  setHandler(handOver, () => {
    store.update((state) => state);
  });
  const table = handlers as unknown as AnyHandlers<State>;
  for (const [name, message] of Object.entries(messages)) {
    const { [name]: handler } = table;
    if (handler === undefined) throw new Error(`expected a handler of ${name}`);
    if (message.type === 'query')
      setHandler(message, (...[arg]: unknown[]) => handler.read(store.read(), arg));
    else if (message.type === 'signal')
      setHandler(message, (arg: unknown) => void handler.handle(store, runtime, arg));
    else
      setHandler(
        message,
        (...[arg]: unknown[]) => shield.run(() => Promise.resolve(handler.handle(store, runtime, arg))),
        {
          validator: (...[arg]: unknown[]) => handler.validate?.(store.read(), arg, now()),
        },
      );
  }
}

const RUNTIME: Omit<Runtime, 'scope'> = {
  now,
  startChild: startAbandoned,
  until: (isSo, atMostMs) => (atMostMs === undefined ? condition(isSo) : condition(isSo, atMostMs)),
  publish: publishNow,
  isLong,
  areHandlersFinished: allHandlersFinished,
};

/** Shows in lists, and in words, where the run stands. */
export function publishNow(published: Published, to: Publishing): void {
  const upserted = attributesToUpsert(workflowInfo().typedSearchAttributes, published, to);
  if (upserted.length > 0) upsertSearchAttributes(upserted);
  setCurrentDetails(published.details);
}

/** Whether a fresh run should take over. Only after what the history records: in the predicate of a wait it would not replay. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historyLength, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY || targetWorkerDeploymentVersionChanged;
}

/** A scope without a parent: the SDK keeps whatever hangs on a parent for as long as that one (docs/decisions/0025-memory-of-a-resting-run.md). */
function newScope(): Scope {
  const scope = new RootCancellationScope();
  return {
    call: callsIn(scope),
    unless: (isWithdrawn, work) => callsUnless(scope, isWithdrawn, work),
    signal: ({ workflowId, signal, arg }) =>
      scope.run(() => isReached(getExternalWorkflowHandle(workflowId).signal(signal, arg))),
    signalWithinTask: (message) => callsIn(scope).signalRun(message),
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
 * The server takes back a call that no worker has begun with, and says so; one that has begun is waited for (`SUBMISSION` in calls.ts), never
 * ends as cancelled (activities/resource/submit-once.ts), and makes no request that it has not marked by then (activities/resource/mark-call.ts).
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

/** The server refuses a signal to a run that is over, and for nothing else that a workflow reckons with. */
export const isReached = (sent: Promise<void>): Promise<boolean> =>
  sent.then(
    () => true,
    (error: unknown) => {
      if (isCancellation(error)) throw error;
      return false;
    },
  );

/** For what may be cancelled as it changes nothing: a reading, a sweep. */
export const interruptibleCalls = (): Calls => callsIn(CancellationScope.current());

/**
 * A run that a schedule begins: what it does is shown while it does it, and what it has found once it has.
 * @param work is given what the run before this one has found.
 */
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

/** Each activity with the options of its own row. */
export function callsIn(scope: CancellationScope): Calls {
  return new Proxy(proxyActivities<Activities>(ACTIVITY_OPTIONS.lookUpAgreement), {
    get: (_target, name) => (isCall(name) ? callIn(scope, name) : undefined),
  });
}

const isCall = (name: string | symbol): name is keyof Activities => Object.hasOwn(ACTIVITY_OPTIONS, name);

function callIn(scope: CancellationScope, name: keyof Activities) {
  const taskQueue = taskQueueOf(workflowInfo().taskQueue, QUEUE_OF[name]);
  return (args: unknown): Promise<unknown> => {
    const options = { ...ACTIVITY_OPTIONS[name], taskQueue, priority: fairnessOf(args) };
    const { [name]: activity } = LOCAL.has(name)
      ? proxyLocalActivities<Untyped>(LOCAL_OPTIONS)
      : proxyActivities<Untyped>(options);
    return scope
      .run(() => activity(args))
      .catch((error: unknown) => {
        // Anything else is a cancellation, or a fault of ours.
        if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
        throw new CallFailed(callFailureOf(error));
      });
  };
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
