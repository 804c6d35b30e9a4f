// One workflow per batch: directs its chunks and collects the outcomes of their rows.
import { condition, setHandler } from '@temporalio/workflow';
import { flagCancelRequest } from '../engine/flags.js';
import { CHUNK_DIRECTED, chunkWorkflowId } from '../contracts/signals.js';
import { runProtected, signalWorkflow } from '../on-temporal/ordinary.js';
import { runOrdinary, type OrdinaryRun } from '../on-temporal/run-ordinary.js';
import { now } from '../on-temporal/run.js';
import { restoreState } from '../contracts/upgrade.js';
import * as contract from './contract.js';
import { BATCH_RECORD } from './records.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { BatchSteering } from '../../domain/batch/rows.js';

type Run = OrdinaryRun<states.BatchState>;

export function batch({ carried, ...request }: contract.BatchInput): Promise<contract.BatchEnd> {
  const run: Run = { state: restoreState(carried, () => states.newBatch(request, now())) };
  return runOrdinary({
    setHandlers: () => setHandlers(run),
    ...{ run, record: BATCH_RECORD, published },
    nextInput: (_, next): contract.BatchInput => ({ ...request, carried: next }),
    ending: { isOver: states.isOver, result: (state, end) => ({ ...viewOf(state), carried: end }) },
    cancelRequested: flagCancelRequest(
      `To stop starting rows: POST /v1/batches/${request.id}/abandonment with a reason.`,
    ),
    prepare: () => {
      run.state = states.applyTime(run.state, now());
      return directChunks(run);
    },
    proceed: ({ isChanged }) => {
      const ms = states.msToDeadline(run.state, now());
      return ms === undefined ? condition(isChanged) : condition(isChanged, Math.max(ms, 1));
    },
  });
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
