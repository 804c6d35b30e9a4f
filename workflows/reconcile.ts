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
}

interface Running<Step> {
  step: Step;
  key: string;
  scope: CancellationScope;
  isFinished: boolean;
  /** Rejects with a fault of ours; a step that was called off has simply ended. */
  outcome: Promise<void>;
}

/** Runs until the story's next step is `end`, or until the run has grown long and should be continued as new. */
export async function reconcile<Record, Step extends { do: string }>(
  story: Story<Record, Step>,
): Promise<'end' | 'continue'> {
  let running: Running<Step> | undefined;
  for (;;) {
    const record = story.read();
    const step = story.next(record);
    story.publish(record, step);
    const mayHandOver = (): boolean =>
      isLong() && step.do !== story.unbroken && !isSeenThrough(story, running, 'hand_over');
    const leaving = step.do === 'end' || mayHandOver();
    if (leaving && allHandlersFinished()) {
      running?.scope.cancel();
      return step.do === 'end' ? 'end' : 'continue';
    }
    if (!leaving) running = keepUp(story, step, running);
    await condition(
      () =>
        story.read() !== record ||
        running?.isFinished === true ||
        (leaving ? allHandlersFinished() : mayHandOver()),
    );
    if (running?.isFinished === true) {
      await running.outcome;
      running = undefined;
    }
  }
}

const isLong = (): boolean =>
  workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > LONG_HISTORY;

const isSeenThrough = <Record, Step extends { do: string }>(
  story: Story<Record, Step>,
  running: Running<Step> | undefined,
  next: Step | 'hand_over',
): boolean => running !== undefined && story.seesThrough?.(running.step, next) === true;

function keepUp<Record, Step extends { do: string }>(
  story: Story<Record, Step>,
  step: Step,
  running: Running<Step> | undefined,
): Running<Step> | undefined {
  const key = JSON.stringify(step);
  if (running?.key === key) return running;
  if (isSeenThrough(story, running, step)) return running;
  running?.scope.cancel();
  // A wait is no promise: each one that is pending weighs on every agreement that the worker holds in memory.
  if (story.idle.includes(step.do)) return undefined;
  return begin(step, key, () => story.run(step));
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
