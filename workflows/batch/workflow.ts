// One workflow per batch: directs its chunks and collects the outcomes of their rows.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { flagCancelRequest } from '../engine/flags.js';
import { CHUNK_DIRECTED, chunkWorkflowId } from '../contracts/signals.js';
import {
  createPublisher,
  createOrdinaryRecorder,
  onHandOver,
  runProtected,
  signalWorkflow,
} from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import * as contract from './contract.js';
import { BATCH_RECORD } from './records.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { BatchSteering } from '../../domain/batch/rows.js';

/** The state of a run. Its handlers and its body replace it. */
interface Run {
  state: states.State;
}

export async function batch({ carried, ...request }: contract.BatchInput): Promise<contract.BatchEnd> {
  const run: Run = { state: restoreState(carried, () => states.newBatch(request, now())) };
  const flagCancelled = flagCancelRequest(
    `To stop starting rows: POST /v1/batches/${request.id}/abandonment with a reason.`,
  );
  setHandlers(run);
  const recorder = createOrdinaryRecorder(BATCH_RECORD, run);
  const isFinished = (): boolean => states.isOver(run.state) && recorder.isRecorded();
  await runProtected(
    async () => {
      const publish = createPublisher();
      for (;;) {
        run.state = states.applyTime(run.state, now());
        const before = run.state;
        await directChunks(run);
        publish(published(run.state));
        recorder.note();
        if (isFinished() || isLong()) break;
        const next = changed(run, before, isFinished);
        recorder.store();
        await next;
      }
      await condition(allHandlersFinished);
      recorder.note();
    },
    () => void (run.state = flagCancelled(run.state, now())),
  );
  if (!isFinished())
    return continueOnCurrentRelease<typeof batch>({ ...request, carried: carry(recorder.carried()) });
  return { ...viewOf(run.state), carried: carry(recorder.carried()) };
}

function setHandlers(run: Run): void {
  setHandler(contract.getBatch, () => viewOf(run.state));
  setHandler(contract.getDirection, () => states.directionOf(run.state));
  setHandler(contract.rowsReceived, () => void (run.state = states.applyReception(run.state)));
  setHandler(contract.chunkReport, (report) => void (run.state = states.applyReport(run.state, report)));
  const steer = (steering: BatchSteering): Promise<void> => {
    run.state = states.applySteering(run.state, steering, now());
    return runProtected(() => directChunks(run));
  };
  const validator = (steering: BatchSteering): void => states.assertSteerable(run.state, steering);
  setHandler(contract.steerBatch, steer, { validator });
  onHandOver(() => void (run.state = { ...run.state }));
}

/** Sends the direction to every chunk that has not received it. */
async function directChunks(run: Run): Promise<void> {
  const [due, direction] = [states.chunksToDirect(run.state), states.directionOf(run.state)];
  run.state = states.markDirected(run.state, due);
  const direct = async (n: number): Promise<void> => {
    const to = { workflowId: chunkWorkflowId(run.state.id, n), signal: CHUNK_DIRECTED, arg: direction };
    if (!(await signalWorkflow(to))) run.state = states.applyLostChunk(run.state, n, now());
  };
  await Promise.all(due.map(direct));
}

const changed = (run: Run, before: states.State, isFinished: () => boolean): Promise<unknown> => {
  const ms = states.msToDeadline(run.state, now());
  const isChanged = (): boolean => run.state !== before || isFinished();
  return ms === undefined ? condition(isChanged) : condition(isChanged, Math.max(ms, 1));
};
