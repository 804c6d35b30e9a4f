// How the rows of a batch that one run keeps are addressed: by their batch, which says when they are begun, and by the API, which reads them.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Course, RowView } from '../../domain/batch/rows.js';
import { ROWS_DIRECTED } from '../entity/signals.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { Asked, State } from './state.js';

export { rowsWorkflowId } from '../entity/signals.js';
export const ROWS_WORKFLOW = 'rows';

export interface RowsInput extends Asked {
  /** Everything that the run before knew: set by continue-as-new. */
  carried?: Carried<State> | undefined;
}

export interface RowsView {
  rows: RowView[];
}

/** How a run ends: what became of each row. */
export type RowsEnd = RowsView & { carried: Carried<State> };

/** Its batch has come to it, or has signalled otherwise. */
export const rowsDirected = defineSignal<[{ course: Course }]>(ROWS_DIRECTED);
export const getRows = defineQuery<RowsView>('getRows');

export const messages = { rowsDirected, getRows };
