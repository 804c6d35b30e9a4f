// The one loop that every long-lived workflow here runs: see from the state what should be going on, make it so, and wait
// for news. Handlers only record; this alone starts and stops things.
import { CallFailed } from './runtime.js';
import { withAwaiting } from '../resource/state.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Awaiting } from '../../../domain/attention/flags.js';
import type { Runtime, Scope } from './runtime.js';
import type { AnyStep, Lane, StepRule } from './step.js';
import type { Published } from './publish.js';

/** What a workflow keeps, and the one way to change it: from what it is now, never from what it was before a wait. */
export interface Cell<State> {
  read: () => State;
  change: (by: (state: State) => State) => void;
  /** How often something was to be recorded, also where it was nothing new. */
  changes: () => number;
  /** Set by the loop: the run ends once every handler has, and nothing new begins. A handler that only waits should end now. */
  isLeaving?: boolean;
}

export function cellOf<State>(initial: State): Cell<State> {
  let state = initial;
  let count = 0;
  const change = (by: (state: State) => State): void => {
    count += 1;
    state = by(state);
  };
  return { read: () => state, change, changes: () => count };
}

export interface Story<State extends Awaited, Step extends AnyStep> {
  rules: Readonly<Record<Step['do'], StepRule<State, Step>>>;
  /** What should be going on now, what matters most to a reader first; at most one step in each lane. */
  wants(state: State): readonly Step[];
  isOver(state: State): boolean;
  /** When what is awaited is over at the latest, as far as anyone can say. */
  until?(state: State, step: Step): Instant | undefined;
  publish(state: State): Published;
}

/** What each story keeps for the loop: what is awaited, and since when. */
export interface Awaited {
  awaiting: Awaiting;
}

interface Going<Step> {
  step: Step;
  key: string;
  scope: Scope;
  isFinished: boolean;
  /** Of ours: what ended it though nothing that a story reckons with went wrong. */
  fault?: Error;
}

interface LaneWork<Step> {
  /** Of the step that went on last, where nothing cancelled it: the next one is its heir, as each scope weighs for as long as the run. */
  scope?: Scope | undefined;
  current?: Going<Step> | undefined;
  /** Cancelled, and not ended yet. */
  ending: Going<Step>[];
}

/** How a run ends: the story is over, or a fresh run takes over from the state. */
export interface Ended<State> {
  outcome: 'over' | 'continue';
  state: State;
}

/** Runs until the story is over, or until the run has grown long and should be continued as new. */
export async function follow<State extends Awaited, Step extends AnyStep>(
  story: Story<State, Step>,
  cell: Cell<State>,
  runtime: Runtime,
): Promise<Ended<State>> {
  const work: Work<State, Step> = { rules: story.rules, cell, runtime, lanes: new Map() };
  for (let isFirst = true; ; isFirst = false) {
    const steps = story.wants(cell.read());
    cell.change((before) => awaited(story, before, steps[0], runtime.now()));
    const state = cell.read();
    runtime.publish(story.publish(state), isFirst && isIdle(work, steps) ? 'anyway' : 'news');
    const changes = cell.changes();
    const isOver = story.isOver(state);
    const isLeaving = isOver || (runtime.isLong() && !isAnyGoing(work, (one) => isSending(work, one)));
    // Only here, and so only by what the history records: a handler that looked at the run's length itself would not replay.
    cell.isLeaving = isLeaving;
    if (isLeaving && runtime.areHandlersFinished()) {
      for (const lane of work.lanes.values()) cancel(lane);
      return { outcome: isOver ? 'over' : 'continue', state: cell.read() };
    }
    if (!isLeaving) keepUp(work, steps);
    // Only what the history records may end this wait. Whether the run is long is not asked here: a refused update has the server
    // count on, is in no history, and so a run that it resumes would not replay.
    await runtime.until(
      () =>
        cell.changes() !== changes ||
        isAnyGoing(work, isFinished) ||
        (isLeaving && runtime.areHandlersFinished()),
    );
    collect(work);
  }
}

/** What is awaited is what the first of its steps awaits. */
function awaited<State extends Awaited, Step extends AnyStep>(
  story: Story<State, Step>,
  state: State,
  first: Step | undefined,
  now: Instant,
): State {
  if (first === undefined) return withAwaiting(state, 'nothing', now);
  return withAwaiting(state, story.rules[kindOf(first)].awaiting, now, story.until?.(state, first));
}

/** Every step that is going on, by lane. Plain data, as every agreement that a worker has in memory has one. */
interface Work<State extends Awaited, Step extends AnyStep> {
  rules: Story<State, Step>['rules'];
  cell: Cell<State>;
  runtime: Runtime;
  lanes: Map<Lane, LaneWork<Step>>;
}

/** Asked after each task of every run: nothing is copied for it. */
function isAnyGoing<State extends Awaited, Step extends AnyStep>(
  { lanes }: Work<State, Step>,
  isSo: (one: Going<Step>) => boolean,
): boolean {
  for (const { current, ending } of lanes.values())
    if ((current !== undefined && isSo(current)) || ending.some(isSo)) return true;
  return false;
}

/** Nothing begins that leaves an event of its own. */
const isIdle = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Work<State, Step>, 'rules'>,
  steps: readonly Step[],
): boolean => steps.every((step) => rules[kindOf(step)].run === undefined);

const isFinished = <Step>(one: Going<Step>): boolean => one.isFinished;

const isSending = <State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Work<State, Step>, 'rules'>,
  { step, isFinished: isDone }: Going<Step>,
): boolean => !isDone && rules[kindOf(step)].uninterruptible === true;

/** Cancels what should not be going on any more, and begins what should. */
function keepUp<State extends Awaited, Step extends AnyStep>(
  work: Work<State, Step>,
  steps: readonly Step[],
): void {
  const { rules, lanes } = work;
  const wanted = new Map(steps.map((step) => [rules[kindOf(step)].lane, step]));
  for (const lane of new Set([...lanes.keys(), ...wanted.keys()])) keepUpIn(work, lane, wanted.get(lane));
}

function keepUpIn<State extends Awaited, Step extends AnyStep>(
  work: Work<State, Step>,
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
  if (rules[kindOf(step)].run === undefined || lane.ending.some((one) => isSending(work, one))) return;
  lane.scope ??= runtime.scope();
  lane.current = begin(work, { step, key, scope: lane.scope, isFinished: false });
}

/** Forgets what has ended. @throws what was a fault of ours. */
function collect<State extends Awaited, Step extends AnyStep>({ lanes }: Work<State, Step>): void {
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

function cancel<Step>(lane: LaneWork<Step>): void {
  const { current } = lane;
  if (current === undefined) return;
  current.scope.cancel();
  lane.scope = undefined;
  lane.current = undefined;
  lane.ending.push(current);
}

function begin<State extends Awaited, Step extends AnyStep>(
  { rules, cell, runtime }: Work<State, Step>,
  one: Going<Step>,
): Going<Step> {
  const rule = rules[kindOf(one.step)];
  if (rule.begin !== undefined)
    cell.change((state) => rule.begin?.(state, { step: one.step, now: runtime.now() }) ?? state);
  void perform(one, rule, cell, runtime);
  return one;
}

async function perform<State, Step>(
  one: Going<Step>,
  rule: StepRule<State, Step>,
  { read, change }: Cell<State>,
  runtime: Runtime,
): Promise<void> {
  const { step, scope } = one;
  try {
    const outcome = await rule.run?.(step, read, scope);
    // What a cancelled step answers is old: its outcome was received in another way, or is looked for in one.
    if (!scope.isCancelled)
      change((state) => rule.done?.(state, outcome, { step, now: runtime.now() }) ?? state);
  } catch (error) {
    if (scope.isCancelled) return;
    // Without a rule for that the state would want the very same call again at once, for ever.
    if (error instanceof CallFailed && rule.failed !== undefined)
      change((state) => rule.failed?.(state, error.failure, { step, now: runtime.now() }) ?? state);
    else one.fault = error instanceof Error ? error : new Error(String(error));
  } finally {
    one.isFinished = true;
  }
}
