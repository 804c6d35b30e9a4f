// The one loop that every long-lived workflow here runs: look at what is remembered, see what should be going on,
// make it so, and wait for news. Handlers only remember; this alone starts and stops things.
import {
  CancellationScope,
  allHandlersFinished,
  condition,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';

/** Past this many events a run hands over to a fresh one: a sleeping agreement always wakes by replay. */
const LONG_HISTORY = 500;

/** What a workflow remembers, and the one way to change it: from what it is now, never from what it was before a wait. */
export interface Held<Record> {
  read: () => Record;
  change: (by: (known: Record) => Record) => void;
}

export interface Story<Record, Step extends { do: string }> {
  /** What is remembered now. A new object whenever anything has been learned. */
  read(): Record;
  next(record: Record): Step;
  /** Carries a step out, in a scope that is cancelled when the step is no longer what should be going on. */
  run(step: Step): Promise<void>;
  /** Says in lists and in words where things stand. */
  publish(record: Record, step: Step): void;
  /** Steps in which there is nothing to do but to wait for news. */
  idle: readonly Step['do'][];
  /** A step that a fresh run may not be asked to begin again. */
  unbroken?: Step['do'];
  /** Whether a step that is being carried out comes to its end before that other one begins, or a fresh run takes over. */
  seesThrough?(running: Step, next: Step | 'hand_over'): boolean;
  /** Whether a step that was called off has to come to its end before that other one begins: what it sent may be on its way. */
  isAwaited?(calledOff: Step, next: Step | 'hand_over'): boolean;
}

interface Running<Step> {
  step: Step;
  key: string;
  scope: CancellationScope;
  isFinished: boolean;
  /** Rejects with a fault of ours; a step that was called off has simply ended. */
  outcome: Promise<void>;
}

interface Work<Step> {
  running?: Running<Step> | undefined;
  /** What is not wanted any more, and has not ended yet. */
  calledOff: readonly Running<Step>[];
}

/** Runs until the story's next step is `end`, or until the run has grown long and should be continued as new. */
export async function reconcile<Record, Step extends { do: string }>(
  story: Story<Record, Step>,
): Promise<'end' | 'continue'> {
  const work: Work<Step> = { calledOff: [] };
  for (;;) {
    const record = story.read();
    const step = story.next(record);
    story.publish(record, step);
    const mayHandOver = (): boolean =>
      isLong() &&
      step.do !== story.unbroken &&
      !isSeenThrough(story, work, 'hand_over') &&
      !isHeldBack(story, work, 'hand_over');
    const leaving = step.do === 'end' || mayHandOver();
    if (leaving && allHandlersFinished()) {
      work.running?.scope.cancel();
      return step.do === 'end' ? 'end' : 'continue';
    }
    const isBegun = leaving || keepUp(story, step, work);
    await condition(
      () =>
        story.read() !== record ||
        work.running?.isFinished === true ||
        (!isBegun && !isHeldBack(story, work, step)) ||
        (leaving ? allHandlersFinished() : mayHandOver()),
    );
    if (work.running?.isFinished === true) {
      await work.running.outcome;
      work.running = undefined;
    }
  }
}

const isLong = (): boolean =>
  workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > LONG_HISTORY;

const isSeenThrough = <Record, Step extends { do: string }>(
  story: Story<Record, Step>,
  { running }: Work<Step>,
  next: Step | 'hand_over',
): boolean => running !== undefined && story.seesThrough?.(running.step, next) === true;

const isHeldBack = <Record, Step extends { do: string }>(
  story: Story<Record, Step>,
  { calledOff }: Work<Step>,
  next: Step | 'hand_over',
): boolean => calledOff.some(({ isFinished, step }) => !isFinished && story.isAwaited?.(step, next) === true);

/** Calls off what should not be going on any more, and begins what should; false where that has to wait. */
function keepUp<Record, Step extends { do: string }>(
  story: Story<Record, Step>,
  step: Step,
  work: Work<Step>,
): boolean {
  const key = JSON.stringify(step);
  if (work.running?.key === key || isSeenThrough(story, work, step)) return true;
  callOff(work);
  // A wait is no promise: each one that is pending weighs on every agreement that the worker holds in memory.
  if (story.idle.includes(step.do)) return true;
  if (isHeldBack(story, work, step)) return false;
  work.running = begin(step, key, () => story.run(step));
  return true;
}

function callOff<Step>(work: Work<Step>): void {
  const { running, calledOff } = work;
  if (running === undefined) return;
  running.scope.cancel();
  work.running = undefined;
  work.calledOff = [...calledOff.filter(({ isFinished }) => !isFinished), running];
}

function begin<Step>(step: Step, key: string, run: () => Promise<void>): Running<Step> {
  const scope = new CancellationScope();
  const outcome = scope.run(run).catch((error: unknown) => {
    if (!isCancellation(error)) throw error;
  });
  const started: Running<Step> = { step, key, scope, isFinished: false, outcome };
  const finish = (): void => void (started.isFinished = true);
  void outcome.then(finish, finish);
  return started;
}
