// The loop that runs every long-lived workflow. It derives the desired steps from the state, starts and cancels steps accordingly, and waits for
// the next change. Handlers only update the state. Only this loop starts and cancels steps.
import { CallFailed, type BatchSender, type Runtime, type Scope } from './runtime.js';
import { setAwaiting } from './awaiting.js';
import { createRecorder, type Recorder } from './recorder.js';
import { flagBacklog, toCarry, type RecordDefinition, type Recorded } from './recording.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { AnyStep, Lane, StepRule } from './step.js';
import type { Published } from './publish.js';

/** The state of a workflow. `update` computes the new state from the current one, never from a copy read before an `await`. */
export interface StateStore<State> {
  read: () => State;
  update: (by: (state: State) => State) => void;
  /** Counts all updates, including those that changed nothing. */
  updateCount: () => number;
  /** Receives every change of the state. */
  recorder: Recorder<State>;
  /** Set by the loop when the run is about to end: it starts no steps and waits for all handlers. A handler that only waits should return. */
  isLeaving?: boolean;
}

/** Each run has its own store. @param initial new, or carried from the previous run with what the records did not have. */
export function createStateStore<State extends Recorded>(
  initial: State,
  definition: RecordDefinition<State>,
  { scope, ...runtime }: Pick<Runtime, 'now' | 'scope' | keyof BatchSender>,
): StateStore<State> {
  const { records: carried } = initial;
  let state: State = { ...initial, records: undefined };
  let count = 0;
  const read = (): State => state;
  const update = (by: (state: State) => State): void => {
    const before = state;
    count += 1;
    state = by(before);
    recorder.note(before, state);
  };
  const onStored = (): void => {
    count += 1;
  };
  const run = { ...runtime, read, onStored, call: () => scope().call };
  const recorder = createRecorder(definition, run, carried);
  if (carried === undefined) recorder.note(undefined, state);
  return { read, update, updateCount: () => count, recorder };
}

export interface EntityDefinition<State extends Awaited, Step extends AnyStep> {
  rules: Readonly<Record<Step['do'], StepRule<State, Step>>>;
  /** The steps that should be running, at most one per lane. The first is the one that matters most to a reader. */
  desiredSteps(state: State): readonly Step[];
  isOver(state: State): boolean;
  /** The latest time at which the current wait ends, if known. */
  until?(state: State, step: Step): Instant | undefined;
  publish(state: State): Published;
  /** What it stores in the records (PostgreSQL). */
  record: RecordDefinition<State>;
  /** What a later run needs to go on after the workflow has ended. The records store it with the last row. */
  carriedAtEnd?(state: State): object;
}

/** What the loop needs of every state: what the workflow is waiting for, and since when; its flags, and what the records lack. */
export interface Awaited extends Recorded {
  awaiting: Awaiting;
}

interface RunningStep<Step> {
  step: Step;
  key: string;
  scope: Scope;
  isFinished: boolean;
  /** Its first pause has ended. */
  isUnderWay: boolean;
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
  const { recorder } = store;
  const work: Reconciliation<State, Step> = { rules: definition.rules, store, runtime, lanes: new Map() };
  for (let isFirst = true; ; isFirst = false) {
    const steps = stepsOf(definition, store, runtime.now());
    store.update((before) => flagBacklog(before, recorder.recording(), runtime.now()));
    const state = store.read();
    const isBrief = isExpectingNews(work, steps[0]);
    const news = isBrief ? 'flags' : 'news';
    runtime.publish(definition.publish(state), isFirst && startsNothing(work, steps) ? 'anyway' : news);
    const changes = store.updateCount();
    const isOver = definition.isOver(state);
    const isEnding = isOver && recorder.isRecorded();
    const isLeaving =
      isEnding || (runtime.isLong() && !isAnyRunning(work, (one) => isUninterruptible(work, one)));
    // Set only here, after recorded events. A handler that checked the run's length itself would break replay.
    store.isLeaving = isLeaving;
    // Steps that are still running end with the run. Cancelling each would cost an extra event.
    if (isLeaving && runtime.areHandlersFinished()) {
      recorder.send(isEnding ? definition.carriedAtEnd?.(store.read()) : undefined);
      return {
        outcome: isEnding ? 'over' : 'continue',
        state: { ...store.read(), records: toCarry(recorder.recording()) },
      };
    }
    if (!isLeaving && !isOver) startAndCancel(work, steps, isBrief);
    // A step that has changed the state makes another pass at once.
    if (store.updateCount() === changes) recorder.send();
    if (!isLeaving) recorder.store();
    // Only recorded events may end this wait, so the predicate must not check `isLong()`. A refused update can make the server suggest
    // continue-as-new, but is not recorded. A run that it woke would not replay.
    await runtime.until(
      () =>
        store.updateCount() !== changes ||
        isAnyRunning(work, isFinished) ||
        (isLeaving && runtime.areHandlersFinished()),
    );
    dropFinished(work);
    const fault = recorder.fault();
    if (fault !== undefined) throw fault;
  }
}

/** The desired steps. What the workflow awaits is updated first, because a report to others may name it. */
function stepsOf<State extends Awaited, Step extends AnyStep>(
  definition: EntityDefinition<State, Step>,
  { read, update }: StateStore<State>,
  now: Instant,
): readonly Step[] {
  const before = read();
  const steps = definition.desiredSteps(before);
  update((state) => updateAwaiting(definition, state, steps[0], now));
  return read() === before ? steps : definition.desiredSteps(read());
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

/** Whether the step is to begin with its pause for an event, or is in it. */
function isExpectingNews<State extends Awaited, Step extends AnyStep>(
  { rules, lanes }: Reconciliation<State, Step>,
  step: Step | undefined,
): boolean {
  if (step === undefined) return false;
  const { lane, notifiedWithinMs } = rules[kindOf(step)];
  if (notifiedWithinMs === undefined) return false;
  const current = lanes.get(lane)?.current;
  return current?.isUnderWay !== true || current.key !== keyOf(step);
}

/**
 * Cancels the steps that are not desired any more, and starts the missing ones.
 * @param isBrief whether the first step expects an event soon. Then no timer of the clock starts.
 */
function startAndCancel<State extends Awaited, Step extends AnyStep>(
  work: Reconciliation<State, Step>,
  steps: readonly Step[],
  isBrief: boolean,
): void {
  const { rules, lanes } = work;
  const wanted = new Map(steps.map((step) => [rules[kindOf(step)].lane, step]));
  // The run ends after these reports, and all running steps with it. Cancelling a call before that would cost five events.
  const isEnding =
    wanted.size > 0 && [...wanted.keys()].every((lane) => lane === 'answer' || lane === 'report');
  for (const lane of isEnding ? wanted.keys() : new Set([...lanes.keys(), ...wanted.keys()]))
    if (!isBrief || lane !== 'clock' || lanes.get(lane)?.current !== undefined)
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
  const key = step === undefined ? undefined : keyOf(step);
  if (lane.current?.key !== key) cancel(lane);
  // A pure wait gets no promise: each pending promise costs memory in every cached run.
  if (step === undefined || key === undefined || lane.current !== undefined) return;
  if (rules[kindOf(step)].run === undefined || lane.ending.some((one) => isUninterruptible(work, one)))
    return;
  lane.current = startStep(work, { step, key, scope: runtime.scope(), isFinished: false, isUnderWay: false });
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

const keyOf = (step: AnyStep): string => JSON.stringify(step);

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
    if (rule.notifiedWithinMs !== undefined) {
      await scope.sleep(rule.notifiedWithinMs, 'Wait for a notification before polling');
      one.isUnderWay = true;
      update((state) => state);
    }
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
