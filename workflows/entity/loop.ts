// The one loop that every long-lived workflow here runs: see from the state what should be going on, make it so, and wait
// for news. Handlers only record; this alone starts and stops things.
import { CallFailed } from './runtime.js';
import { withAwaiting } from './state.js';
import type { Instant } from '../../domain/fact.js';
import type { Awaiting } from '../../domain/legible.js';
import type { Runtime, Scope } from './runtime.js';
import type { AnyStep, Lane, StepRule } from './step.js';
import type { Published } from './publish.js';

/** What a workflow keeps, and the one way to change it: from what it is now, never from what it was before a wait. */
export interface Cell<State> {
  read: () => State;
  change: (by: (state: State) => State) => void;
  /** How often something was to be recorded, also where it was nothing new. */
  changes: () => number;
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
  /** Rejects with a fault of ours alone. */
  ended: Promise<void>;
}

interface LaneWork<Step> {
  going?: Going<Step> | undefined;
  /** Cancelled, and not ended yet. */
  ending: Going<Step>[];
}

/** Runs until the story is over, or until the run has grown long and should be continued as new. */
export async function follow<State extends Awaited, Step extends AnyStep>(
  story: Story<State, Step>,
  cell: Cell<State>,
  runtime: Runtime,
): Promise<'over' | 'continue'> {
  const work = createWork(story, cell, runtime);
  for (;;) {
    const steps = story.wants(cell.read());
    cell.change((known) => awaited(story, known, steps[0], runtime.now()));
    const state = cell.read();
    runtime.publish(story.publish(state));
    const changes = cell.changes();
    const isOver = story.isOver(state);
    const isLeaving = isOver || (runtime.isLong() && !work.isSending());
    if (isLeaving && runtime.areHandlersFinished()) {
      work.cancelAll();
      return isOver ? 'over' : 'continue';
    }
    if (!isLeaving) work.keepUp(steps);
    // Only what the history records may end this wait. Whether the run is long is not asked here: a refused update has the server
    // count on, is in no history, and so a run that it wakes would not replay.
    await runtime.until(
      () => cell.changes() !== changes || work.hasNews() || (isLeaving && runtime.areHandlersFinished()),
    );
    await work.collect();
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

/** Every step that is going on, by lane. */
function createWork<State extends Awaited, Step extends AnyStep>(
  { rules }: Pick<Story<State, Step>, 'rules'>,
  cell: Cell<State>,
  runtime: Runtime,
) {
  const lanes = new Map<Lane, LaneWork<Step>>();
  const ruleOf = (step: Step): StepRule<State, Step> => rules[kindOf(step)];
  const each = (): Going<Step>[] =>
    [...lanes.values()].flatMap(({ going, ending }) => [...(going ? [going] : []), ...ending]);
  const isSending = ({ step, isFinished }: Going<Step>): boolean =>
    !isFinished && ruleOf(step).uninterruptible === true;

  const keepUpIn = (lane: Lane, step: Step | undefined): void => {
    const work = lanes.get(lane) ?? { ending: [] };
    lanes.set(lane, work);
    const key = step === undefined ? undefined : JSON.stringify(step);
    if (work.going?.key !== key) cancel(work);
    // A wait for news is no promise: each one that is pending weighs on every agreement that the worker has in memory.
    if (step === undefined || key === undefined || work.going !== undefined || ruleOf(step).run === undefined)
      return;
    if (!work.ending.some(isSending)) work.going = begin(step, key, ruleOf(step), cell, runtime);
  };
  return {
    isSending: (): boolean => each().some(isSending),
    hasNews: (): boolean => each().some(({ isFinished }) => isFinished),
    cancelAll: (): void => {
      for (const work of lanes.values()) cancel(work);
    },
    /** Cancels what should not be going on any more, and begins what should. */
    keepUp(steps: readonly Step[]): void {
      const wanted = new Map(steps.map((step) => [ruleOf(step).lane, step]));
      for (const lane of new Set([...lanes.keys(), ...wanted.keys()])) keepUpIn(lane, wanted.get(lane));
    },
    /** Forgets what has ended. @throws what was a fault of ours. */
    async collect(): Promise<void> {
      for (const work of lanes.values()) {
        const ended = [...(work.going ? [work.going] : []), ...work.ending].filter(
          ({ isFinished }) => isFinished,
        );
        if (work.going?.isFinished === true) work.going = undefined;
        work.ending = work.ending.filter(({ isFinished }) => !isFinished);
        for (const { ended: end } of ended) await end;
      }
    },
  };
}

/** The kind of a step, as the key of its rule. */
const kindOf = <Step extends AnyStep>({ do: kind }: Step): Step['do'] => kind;

function cancel<Step>(work: LaneWork<Step>): void {
  const { going } = work;
  if (going === undefined) return;
  going.scope.cancel();
  work.going = undefined;
  work.ending.push(going);
}

function begin<State, Step>(
  step: Step,
  key: string,
  rule: StepRule<State, Step>,
  cell: Cell<State>,
  runtime: Runtime,
): Going<Step> {
  const scope = runtime.scope();
  if (rule.begin !== undefined)
    cell.change((state) => rule.begin?.(state, { step, now: runtime.now() }) ?? state);
  const ended = perform(step, rule, cell, runtime, scope);
  const going: Going<Step> = { step, key, scope, isFinished: false, ended };
  const finish = (): void => void (going.isFinished = true);
  void ended.then(finish, finish);
  return going;
}

async function perform<State, Step>(
  step: Step,
  rule: StepRule<State, Step>,
  { read, change }: Cell<State>,
  runtime: Runtime,
  scope: Scope,
): Promise<void> {
  try {
    const outcome = await rule.run?.(step, read, scope);
    // What a cancelled step answers is old: its outcome was received in another way, or is looked for in one.
    if (!scope.isCancelled)
      change((state) => rule.done?.(state, outcome, { step, now: runtime.now() }) ?? state);
  } catch (error) {
    if (scope.isCancelled) return;
    if (!(error instanceof CallFailed)) throw error;
    const { failure } = error;
    change((state) => rule.failed?.(state, failure, { step, now: runtime.now() }) ?? state);
  }
}
