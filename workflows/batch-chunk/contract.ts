// How a chunk of a batch's rows is addressed: by its batch, which directs it, and by the API, which reads its rows.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Direction, RowView } from '../../domain/batch/rows.js';
import { CHUNK_DIRECTED } from '../entity/signals.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { ChunkRequest, State } from './state.js';

export { chunkWorkflowId } from '../entity/signals.js';
export const CHUNK_WORKFLOW = 'batch-chunk';

export interface ChunkInput extends ChunkRequest {
  /** The state of the run before: set by continue-as-new. */
  carried?: Carried<State> | undefined;
}

/** How a chunk ends: what became of each row. */
export type ChunkEnd = { rows: RowView[]; carried: Carried<State> };

/** Its batch lets it start rows, or no more. */
export const chunkDirected = defineSignal<[Direction]>(CHUNK_DIRECTED);
export const getRows = defineQuery<RowView[]>('getRows');
