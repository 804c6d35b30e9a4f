import { batchWorkflowId, rowsWorkflowId } from '../../../workflows/entity/signals.js';
import { HANDLERS as BATCHES } from '../../../workflows/batch/handlers.js';
import * as batches from '../../../workflows/batch/state.js';
import { BATCH } from '../../../workflows/batch/steps.js';
import { viewOf as batchView } from '../../../workflows/batch/view.js';
import { HANDLERS as ROWS_OF_A_RUN } from '../../../workflows/rows/handlers.js';
import * as runs from '../../../workflows/rows/state.js';
import { ROWS } from '../../../workflows/rows/steps.js';
import type { BatchWord } from '../../../domain/batch/rows.js';
import type { Scene } from './virtual.js';

/** One run of rows. */
export async function rowsIn({ live, open, settle, now }: Scene, asked: runs.Asked, carried?: runs.State) {
  const life = live(ROWS, carried ?? runs.newRows(asked, now()), (state) => state);
  open(rowsWorkflowId(asked.batch, asked.n), life, ROWS_OF_A_RUN.rowsDirected);
  await settle();
  return { ...life, view: () => runs.viewOf(life.state()).rows };
}

export async function batchIn(
  { live, open, settle, now }: Scene,
  asked: batches.Asked,
  carried?: batches.State,
) {
  const life = live(BATCH, carried ?? batches.newBatch(asked, now()), (state) => state);
  open(batchWorkflowId(asked.id), life, BATCHES.rowsReport);
  await settle();
  return {
    ...life,
    view: () => batchView(life.state()),
    details: () => BATCH.publish(life.state()).details,
    received: () => life.send(BATCHES.rowsReceived, undefined),
    steer: (command: BatchWord['command']) =>
      life.send(BATCHES.steerBatch, { command, reason: 'as agreed', by: 'key-1' }),
  };
}
