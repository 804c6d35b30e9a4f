// The messages and types of a batch: many requests as one. Its rows are in chunks (workflows/batch-chunk/).
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type * as batches from '../../domain/batch/rows.js';
import { CHUNK_REPORT } from '../contracts/signals.js';
import type { Carried } from '../contracts/upgrade.js';
import type { BatchRequest, BatchState } from './state.js';
import type { viewOf } from './view.js';

export type { BatchRequest };
export { batchWorkflowId } from '../contracts/signals.js';
export const BATCH_WORKFLOW = 'batch';

export interface BatchInput extends BatchRequest {
  /** The state of the previous run, set by continue-as-new. */
  carried?: Carried<BatchState> | undefined;
}

/** `receiving`: its rows are still arriving. `incomplete`: some rows never arrived, and none was started. */
export const BATCH_STATES = ['receiving', 'running', 'paused', 'done', 'abandoned', 'incomplete'] as const;

export type BatchView = ReturnType<typeof viewOf>;

/** The result, with the outcome of its rows. */
export type BatchEnd = BatchView & { carried: Carried<BatchState> };

export const rowsReceived = defineSignal('rowsReceived');
/** The outcomes in one of its chunks. */
export const chunkReport = defineSignal<[batches.ChunkReport]>(CHUNK_REPORT);
/** A repeat changes nothing. Returns once each chunk has received the command. Refused with `batch_over`. */
export const steerBatch = defineUpdate<void, [batches.BatchSteering]>('steerBatch');
export const getBatch = defineQuery<BatchView>('getBatch');
/** Whether rows may be started. Read before each row. */
export const getDirection = defineQuery<batches.Direction>('getDirection');
