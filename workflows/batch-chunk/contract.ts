// The messages and types of a chunk. Its batch directs it, and the API reads its rows.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Direction, RowView } from '../../domain/batch/rows.js';
import { CHUNK_DIRECTED } from '../contracts/signals.js';
import type { Carried } from '../contracts/upgrade.js';
import type { ChunkRequest, ChunkState } from './state.js';

export { chunkWorkflowId } from '../contracts/signals.js';
export const CHUNK_WORKFLOW = 'batch-chunk';

export interface ChunkInput extends ChunkRequest {
  /** The state of the previous run, set by continue-as-new. */
  carried?: Carried<ChunkState> | undefined;
}

/** The result: the outcome of each row. */
export type ChunkEnd = { rows: RowView[]; carried: Carried<ChunkState> };

/** From the batch: whether the chunk may start rows. */
export const chunkDirected = defineSignal<[Direction]>(CHUNK_DIRECTED);
export const getRows = defineQuery<RowView[]>('getRows');
