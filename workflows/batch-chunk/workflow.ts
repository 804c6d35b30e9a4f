// Up to two hundred rows of a batch: starts a few at a time, and follows each until it has an answer.
import { condition, setHandler } from '@temporalio/workflow';
import { CHUNK_REPORT, batchWorkflowId } from '../contracts/signals.js';
import * as ordinary from '../on-temporal/ordinary.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { chunkDirected, getRows, type ChunkEnd, type ChunkInput } from './contract.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';

/** The state of a run. Its handlers and its body replace it. */
interface Run {
  state: states.ChunkState;
}

export async function batchChunk({ carried, ...request }: ChunkInput): Promise<ChunkEnd> {
  const run: Run = { state: restoreState(carried, () => states.newChunk(request, now())) };
  setHandler(getRows, () => viewOf(run.state));
  setHandler(
    chunkDirected,
    (direction) => void (run.state = states.applyDirection(run.state, direction, now())),
  );
  ordinary.onHandOver(() => void (run.state = { ...run.state }));

  await ordinary.runProtected(async (calls) => {
    const publish = ordinary.createPublisher();
    for (;;) {
      run.state = states.updateAwaiting(run.state, now());
      publish(published(run.state));
      await report(run);
      if (states.isOver(run.state) || isLong()) return;
      await startAndWatch(run, calls);
    }
  });
  const { rows: _, answers: _answers, ...named } = request;
  if (!states.isOver(run.state))
    return continueOnCurrentRelease<typeof batchChunk>({ ...named, carried: carry(run.state) });
  // The rows themselves are no longer needed and would only use space.
  return { rows: viewOf(run.state), carried: carry({ ...run.state, rows: [], answers: [] }) };
}

/** Starts the next rows, then watches all started rows. If there is nothing to do, waits for its batch. */
async function startAndWatch(run: Run, calls: Calls): Promise<void> {
  const before = run.state;
  const toStart = states.placesToStart(run.state);
  if (toStart.length > 0) await startRows(run, calls, toStart);
  const toWatch = states.placesToWatch(run.state);
  if (toWatch.length > 0) await watchRows(run, toWatch);
  else await condition(() => run.state !== before);
}

async function startRows(run: Run, calls: Calls, places: number[]): Promise<void> {
  run.state = { ...run.state, starting: places };
  await orUnknown(run, places, async () => {
    // The activity returns early if it reads that the batch is paused.
    const { answers, direction } = await calls.startRows(states.taskOf(run.state, places));
    run.state = states.applyAnswers(run.state, places, answers, now());
    if (direction !== undefined) run.state = states.applyDirection(run.state, direction, now());
  });
  await report(run);
}

/** Polls without waiting while more rows can be started. A message interrupts it. */
async function watchRows(run: Run, places: number[]): Promise<void> {
  const before = run.state;
  const isBrief = states.placesToStart(before).length > 0;
  const unanswered = states.unansweredIn(before, places);
  const task = { ...states.taskOf(before, places), isBrief, unanswered };
  await orUnknown(run, places, async () => {
    const isOutdated = (): boolean => run.state !== before;
    const answers = await ordinary.callUntil(isOutdated, (calls) => calls.watchRows(task));
    if (answers !== undefined) run.state = states.applyAnswers(run.state, places, answers, now());
  });
}

async function orUnknown(run: Run, places: number[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    run.state = states.applyUnknown(run.state, places, error.failure.code, now());
  }
}

/**
 * Repeats until the batch has the newest report: a message may change it during the signal. If the batch was terminated, the
 * report is lost, and the rows are still followed.
 */
async function report(run: Run): Promise<void> {
  for (;;) {
    const arg = states.reportOf(run.state);
    const reported = JSON.stringify(arg);
    if (run.state.version === 0 || reported === run.state.reported) return;
    run.state = { ...run.state, reported };
    await ordinary.signalWorkflow({
      workflowId: batchWorkflowId(run.state.batch),
      signal: CHUNK_REPORT,
      arg,
    });
  }
}
