// The one loop that every long-lived workflow here runs: see from the state what should be going on, make it so, and wait
// for news. Handlers only record; this alone starts and stops things.
import { CallFailed } from './runtime.js';
import { setAwaiting } from '../resource/state.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Awaiting } from '../../../domain/attention/awaiting.js';
import type { Runtime, Scope } from './runtime.js';
import type { AnyStep, Lane, StepRule } from './step.js';
import type { Published } from './publish.js';

/** What a workflow keeps, and the one way to change it: from what it is now, never from what it was before a wait. */
export interface StateStore<State> {
  read: () => State;
  update: (by: (state: State) => State) => void;
  /** How often something was to be recorded, also where it was nothing new. */
  updateCount: () => number;
  /** Set by the loop: the run ends once every handler has, and nothing new begins. A handler that only waits should end now. */
  isLeaving?: boolean;
}

/** Not shared between runs: each run has a store of its own. */
export function createStateStore<State>(initial: State): StateStore<State> {
  let state = initial;
  let count = 0;
  const update = (by: (state: State) => State): void => {
    count += 1;
    state = by(state);
  };
  return { read: () => state, update, updateCount: () => count };
}

export interface EntityDefinition<State extends Awaited, Step extends AnyStep> {
  rules: Readonly<Record<Step['do'], StepRule<State, Step>>>;
  /** What should be going on now, what matters most to a reader first; at most one step in each lane. */
  desiredSteps(state: State): readonly Step[];
  isOver(state: State): boolean;
  /** When what is awaited is over at the latest, as far as anyone can say. */
  until?(state: State, step: Step): Instant | undefined;
  publish(state: State): Published;
}

/** What each workflow keeps for the loop: what is awaited, and since when. */
export interface Awaited {
  awaiting: Awaiting;
}

interface RunningStep<Step> {
  step: Step;
  key: string;
  scope: Scope;
  isFinished: boolean;
  /** Of ours: what ended it though nothing that a workflow reckons with went wrong. */
  fault?: Error;
}

interface LaneState<Step> {
  current?: RunningStep<Step> | undefined;
  /** Cancelled, and not ended yet. */
  ending: RunningStep<Step>[];
}

/** How a run ends: the workflow is over, or a fresh run takes over from the state. */
export interface RunEnd<State> {
  outcome: 'over' | 'continue';
  state: State;
}

/** Runs until the workflow is over, or until the run has grown long and should be continued as new. */
export async function reconcile<State extends Awaited, Step extends AnyStep>(
  definition: EntityDefinition<State, Step>,
  store: StateStore<State>,
  runtime: Runtime,
): Promise<RunEnd<State>> {
  const work: Reconciliation<State, Step> = { rules: definition.rules, store, runtime, lanes: new Map() };
  for (let isFirst = true; ; isFirst = false) {
    const steps = definition.desiredSteps(store.read());
    store.update((before) => updateAwaiting(definition, before, steps[0], runtime.now()));
    const state = store.read();
    runtime.publish(definition.publish(state), isFirst && startsNothing(work, steps) ? 'anyway' : 'news');
    const changes = store.updateCount();
    const isOver = definition.isOver(state);
    const isLeaving =
      isOver || (runtime.isLong() && !isAnyRunning(work, (one) => isUninterruptible(work, one)));
    // Only here, and so only by what the history records: a handler that looked at the run's length itself would not replay.
    store.isLeaving = isLeaving;
    // What still goes on ends with the run: to cancel it as well costs an event each.
    if (isLeaving && runtime.areHandlersFinished())
      return { outcome: isOver ? 'over' : 'continue', state: store.read() };
    if (!isLeaving) startAndCancel(work, steps);
    // Only what the history records may end this wait. Whether the run is long is not asked here: a refused update has the server
    // count on, is in no history, and so a run that it resumes would not replay.
    await runtime.until(
      () =>
        store.updateCount() !== changes ||
        isAnyRunning(work, isFinished) ||
        (isLeaving && runtime.areHandlersFinished()),
    );
    dropFinished(work);
  }
}

/** What is awaited is what the first of its steps awaits. */
function updateAwaiting<State extends Awaited, Step extends AnyStep>(
  definition: EntityDefinition<State, Step>,
  state: State,
  first: Step | undefined,
  now: Instant,
): State {
  if (first === undefined) return setAwaiting(state, 'nothing', now);
  return setAwaiting(state, definition.rules[kindOf(first)].awaiting, now, definition.until?.(state, first));
}

/** Every step that is going on, by lane. Plain data, as every agreement that a worker has in memory has one. */
interface Reconciliation<State extends Awaited, Step extends AnyStep> {
  rules: EntityDefinition<State, Step>['rules'];
  store: StateStore<State>;
  runtime: Runtime;
  lanes: Map<Lane, LaneState<Step>>;
}

/** Asked after each task of every run: nothing is copied for it. */
function isAnyRunning<State extends Awaited, Step extends AnyStep>(
  { lanes }: Reconciliation<State, Step>,
  isSo: (one: RunningStep<Step>) => boolean,
): boolean {
  for (const { current, ending } of lanes.values())
    if ((current !== undefined && isSo(current)) || ending.some(isSo)) return true;
  return false;
}

/** Nothing begins that leaves an event of its own. */
const startsNothing = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Reconciliation<State, Step>, 'rules'>,
  steps: readonly Step[],
): boolean => steps.every((step) => rules[kindOf(step)].run === undefined);

const isFinished = <Step>(one: RunningStep<Step>): boolean => one.isFinished;

const isUninterruptible = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Reconciliation<State, Step>, 'rules'>,
  { step, isFinished: isDone }: RunningStep<Step>,
): boolean => !isDone && rules[kindOf(step)].uninterruptible === true;

/** Cancels what should not be going on any more, and begins what should. */
function startAndCancel<State extends Awaited, Step extends AnyStep>(
  work: Reconciliation<State, Step>,
  steps: readonly Step[],
): void {
  const { rules, lanes } = work;
  const wanted = new Map(steps.map((step) => [rules[kindOf(step)].lane, step]));
  // The run ends after these reports, and all that goes on with it: to cancel a call before costs five events.
  const isEnding =
    wanted.size > 0 && [...wanted.keys()].every((lane) => lane === 'answer' || lane === 'report');
  for (const lane of isEnding ? wanted.keys() : new Set([...lanes.keys(), ...wanted.keys()]))
    startAndCancelInLane(work, lane, wanted.get(lane));
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
  // A wait for news is no promise: each one that is pending weighs on every agreement that the worker has in memory.
  if (step === undefined || key === undefined || lane.current !== undefined) return;
  if (rules[kindOf(step)].run === undefined || lane.ending.some((one) => isUninterruptible(work, one)))
    return;
  lane.current = startStep(work, { step, key, scope: runtime.scope(), isFinished: false });
}

/** Forgets what has ended. @throws what was a fault of ours. */
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

/** The kind of a step, as the key of its rule. */
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
    // What a cancelled step answers is old: its outcome was received in another way, or is looked for in one.
    if (!scope.isCancelled)
      update((state) => rule.done?.(state, outcome, { step, now: runtime.now() }) ?? state);
  } catch (error) {
    if (scope.isCancelled) return;
    // Without a rule for that the state would want the very same call again at once, for ever.
    if (error instanceof CallFailed && rule.failed !== undefined)
      update((state) => rule.failed?.(state, error.failure, { step, now: runtime.now() }) ?? state);
    else one.fault = error instanceof Error ? error : new Error(String(error));
  } finally {
    one.isFinished = true;
  }
}
