// How the rows of a batch that one run holds are addressed: by their batch, which says when they are begun, and by the API, which reads them.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { BatchKind, BatchRow, Course, RowAnswer } from '../../domain/batch.js';
import { ROWS_DIRECTED } from '../entity/talk.js';
import type { Carried } from '../entity/upgrade.js';
import type { State } from './state.js';

export { rowsWorkflowId } from '../entity/talk.js';
export const ROWS_WORKFLOW = 'rows';

export interface RowsInput {
  /** The id of the batch. */
  batch: string;
  /** Which of its runs this is, from 0. */
  n: number;
  /** The index in the batch of the first row. */
  first: number;
  kind: BatchKind;
  connectionId?: string | undefined;
  /** Rows are judged, and none is begun. */
  isDryRun?: true | undefined;
  /** The id of the API key that it was asked for with. */
  requestedBy: string;
  /** Absent where they are carried. */
  rows?: BatchRow[] | undefined;
  carried?: Carried<State> | undefined;
}

export interface RowView {
  index: number;
  uid: string;
  answer: RowAnswer | null;
}
export interface RowsView {
  rows: RowView[];
}

/** How a run ends: what became of each row. */
export type RowsEnd = RowsView & { carried: Carried<State> };

/** Its batch has come to it, or is told otherwise. */
export const rowsDirected = defineSignal<[{ course: Course }]>(ROWS_DIRECTED);
export const getRows = defineQuery<RowsView>('getRows');

export const messages = { rowsDirected, getRows };
