// The loop that runs every long-lived workflow. It derives the desired steps from the state, starts and cancels steps accordingly, and waits for
// the next change. Handlers only update the state. Only this loop starts and cancels steps.
import { CallFailed } from './runtime.js';
import { setAwaiting } from '../resource/state.js';
import { isRecorded, recordChanges, recordRow } from '../records/recording.js';
import { recordRule, recordSteps } from '../records/step.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Awaiting } from '../../../domain/attention/awaiting.js';
import type { Runtime, Scope } from './runtime.js';
import type { AnyStep, Lane, StepRule } from './step.js';
import type { Published } from './publish.js';
import type { RecordDefinition, Recorded } from '../records/recording.js';
import type { RecordStep } from '../records/step.js';

/** The state of a workflow. `update` computes the new state from the current one, never from a copy read before an `await`. */
export interface StateStore<State> {
  read: () => State;
  update: (by: (state: State) => State) => void;
  /** Counts all updates, including those that changed nothing. */
  updateCount: () => number;
  /** Set by the loop when the run is about to end: it starts no steps and waits for all handlers. A handler that only waits should return. */
  isLeaving?: boolean;
}

/** Each run has its own store. It adds what each update changed to the state, for the records. */
export function createStateStore<State extends Recorded>(
  initial: State,
  definition: RecordDefinition<State>,
  now: () => Instant,
): StateStore<State> {
  let state = initial.records === undefined ? recordChanges(definition, undefined, initial, now()) : initial;
  let count = 0;
  const update = (by: (state: State) => State): void => {
    count += 1;
    state = recordChanges(definition, state, by(state), now());
  };
  return { read: () => state, update, updateCount: () => count };
}

export interface EntityDefinition<State extends Awaited, Step extends AnyStep> {
  rules: Readonly<Record<Step['do'], StepRule<State, Step>>>;
  /** The steps that should be running, at most one per lane. The first is the one that matters most to a reader. */
  desiredSteps(state: State): readonly Step[];
  isOver(state: State): boolean;
  /** The latest time at which the current wait ends, if known. */
  until?(state: State, step: Step): Instant | undefined;
  publish(state: State): Published;
  /** What it stores in the records. The loop does that in a lane of its own. */
  record: RecordDefinition<State>;
}

/** What the loop needs of every state: what the workflow is waiting for, and since when, and what the records do not have yet. */
export interface Awaited extends Recorded {
  awaiting: Awaiting;
}

interface RunningStep<Step> {
  step: Step;
  key: string;
  scope: Scope;
  isFinished: boolean;
  /** An unexpected error (a bug), which the loop rethrows. */
  fault?: Error;
}

interface LaneState<Step> {
  current?: RunningStep<Step> | undefined;
  /** Cancelled steps that have not ended yet. */
  ending: RunningStep<Step>[];
}

/** How a run ends: the workflow is over, or it continues as new from this state. */
export interface RunEnd<State> {
  outcome: 'over' | 'continue';
  state: State;
}

/**
 * Runs until the workflow is over, or the run is long and should continue as new. Each pass computes the desired steps, publishes the status,
 * starts and cancels steps, and waits for a finished step or an update of the state.
 */
export async function reconcile<State extends Awaited, Step extends AnyStep>(
  definition: EntityDefinition<State, Step>,
  store: StateStore<State>,
  runtime: Runtime,
): Promise<RunEnd<State>> {
  const rules = { ...definition.rules, record: recordRule(definition.record) };
  const work: Reconciliation<State, Step | RecordStep> = { rules, store, runtime, lanes: new Map() };
  for (let isFirst = true; ; isFirst = false) {
    const own = definition.desiredSteps(store.read());
    store.update((before) => updateAwaiting(definition, before, own[0], runtime.now()));
    store.update((before) => recordRow(definition.record, before, runtime.now()));
    const state = store.read();
    const steps = [...own, ...recordSteps(state)];
    runtime.publish(definition.publish(state), isFirst && startsNothing(work, steps) ? 'anyway' : 'news');
    const changes = store.updateCount();
    const isOver = definition.isOver(state);
    const isLeaving =
      (isOver && isRecorded(state)) ||
      (runtime.isLong() && !isAnyRunning(work, (one) => isUninterruptible(work, one)));
    // Set only here, after recorded events. A handler that checked the run's length itself would break replay.
    store.isLeaving = isLeaving;
    // Steps that are still running end with the run. Cancelling each would cost an extra event.
    if (isLeaving && runtime.areHandlersFinished())
      return { outcome: isOver && isRecorded(state) ? 'over' : 'continue', state: store.read() };
    if (!isLeaving) startAndCancel(work, steps, isOver);
    // Only recorded events may end this wait, so the predicate must not check `isLong()`. A refused update can make the server suggest
    // continue-as-new, but is not recorded. A run that it woke would not replay.
    await runtime.until(
      () =>
        store.updateCount() !== changes ||
        isAnyRunning(work, isFinished) ||
        (isLeaving && runtime.areHandlersFinished()),
    );
    dropFinished(work);
  }
}

/** The workflow awaits what its first step awaits. */
function updateAwaiting<State extends Awaited, Step extends AnyStep>(
  definition: EntityDefinition<State, Step>,
  state: State,
  first: Step | undefined,
  now: Instant,
): State {
  if (first === undefined) return setAwaiting(state, 'nothing', now);
  return setAwaiting(state, definition.rules[kindOf(first)].awaiting, now, definition.until?.(state, first));
}

/** The running steps by lane. Plain data, because a worker holds one per cached run. */
interface Reconciliation<State extends Awaited, Step extends AnyStep> {
  rules: EntityDefinition<State, Step>['rules'];
  store: StateStore<State>;
  runtime: Runtime;
  lanes: Map<Lane, LaneState<Step>>;
}

/** Called after each task of every run, so it copies nothing. */
function isAnyRunning<State extends Awaited, Step extends AnyStep>(
  { lanes }: Reconciliation<State, Step>,
  isSo: (one: RunningStep<Step>) => boolean,
): boolean {
  for (const { current, ending } of lanes.values())
    if ((current !== undefined && isSo(current)) || ending.some(isSo)) return true;
  return false;
}

/** True if starting these steps writes no event. */
const startsNothing = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Reconciliation<State, Step>, 'rules'>,
  steps: readonly Step[],
): boolean => steps.every((step) => rules[kindOf(step)].run === undefined);

const isFinished = <Step>(one: RunningStep<Step>): boolean => one.isFinished;

const isUninterruptible = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Reconciliation<State, Step>, 'rules'>,
  { step, isFinished: isDone }: RunningStep<Step>,
): boolean => !isDone && rules[kindOf(step)].uninterruptible === true;

/** Cancels the steps that are not desired any more, and starts the missing ones. */
function startAndCancel<State extends Awaited, Step extends AnyStep>(
  work: Reconciliation<State, Step>,
  steps: readonly Step[],
  isOver: boolean,
): void {
  const { rules, lanes } = work;
  const wanted = new Map(steps.map((step) => [rules[kindOf(step)].lane, step]));
  // The run ends after these reports, and all running steps with it. Cancelling a call before that would cost five events.
  const lasting = [...wanted.keys()].filter((lane) => lane !== 'record');
  const isEnding =
    isOver || (lasting.length > 0 && lasting.every((lane) => lane === 'answer' || lane === 'report'));
  const others = [...(isEnding ? [] : lanes.keys()), ...wanted.keys()].filter((lane) => lane !== 'record');
  // Last, so that it also stores what the other steps changed when they started.
  for (const lane of new Set<Lane>([...others, 'record'])) startAndCancelInLane(work, lane, wanted.get(lane));
}

function startAndCancelInLane<State extends Awaited, Step extends AnyStep>(
  work: Reconciliation<State, Step>,
  name: Lane,
  step: Step | undefined,
): void {
  const { rules, lanes, runtime } = work;
  const lane = lanes.get(name) ?? { ending: [] };
  lanes.set(name, lane);
  const key = step === undefined ? undefined : JSON.stringify(step);
  if (lane.current?.key !== key) cancel(lane);
  // A pure wait gets no promise: each pending promise costs memory in every cached run.
  if (step === undefined || key === undefined || lane.current !== undefined) return;
  if (rules[kindOf(step)].run === undefined || lane.ending.some((one) => isUninterruptible(work, one)))
    return;
  lane.current = startStep(work, { step, key, scope: runtime.scope(), isFinished: false });
}

/** Removes finished steps. @throws the unexpected error of a step, if it had one. */
function dropFinished<State extends Awaited, Step extends AnyStep>({
  lanes,
}: Reconciliation<State, Step>): void {
  for (const lane of lanes.values()) {
    const { current, ending } = lane;
    if (current?.isFinished === true) lane.current = undefined;
    if (ending.length > 0) lane.ending = ending.filter((one) => !one.isFinished);
    for (const one of [current, ...ending])
      if (one?.isFinished === true && one.fault !== undefined) throw one.fault;
  }
}

const kindOf = <Step extends AnyStep>({ do: kind }: Step): Step['do'] => kind;

function cancel<Step>(lane: LaneState<Step>): void {
  const { current } = lane;
  if (current === undefined) return;
  current.scope.cancel();
  lane.current = undefined;
  lane.ending.push(current);
}

function startStep<State extends Awaited, Step extends AnyStep>(
  { rules, store, runtime }: Reconciliation<State, Step>,
  one: RunningStep<Step>,
): RunningStep<Step> {
  const rule = rules[kindOf(one.step)];
  if (rule.begin !== undefined)
    store.update((state) => rule.begin?.(state, { step: one.step, now: runtime.now() }) ?? state);
  void runStep(one, rule, store, runtime);
  return one;
}

async function runStep<State, Step>(
  one: RunningStep<Step>,
  rule: StepRule<State, Step>,
  { read, update }: StateStore<State>,
  runtime: Runtime,
): Promise<void> {
  const { step, scope } = one;
  try {
    const outcome = await rule.run?.(step, read, scope);
    // Ignore the outcome of a cancelled step: the state already has newer information, or a later step fetches it.
    if (!scope.isCancelled)
      update((state) => rule.done?.(state, outcome, { step, now: runtime.now() }) ?? state);
  } catch (error) {
    if (scope.isCancelled) return;
    // A failure without a `failed` rule is a bug: the state would not change, and the loop would repeat the same call forever.
    if (error instanceof CallFailed && rule.failed !== undefined)
      update((state) => rule.failed?.(state, error.failure, { step, now: runtime.now() }) ?? state);
    else one.fault = error instanceof Error ? error : new Error(String(error));
  } finally {
    one.isFinished = true;
  }
}
