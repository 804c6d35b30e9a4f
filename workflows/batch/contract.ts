// How the outside world addresses a batch: many requests as one, whose rows are in runs of their own (workflows/rows/).
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  BatchKind,
  BatchWord,
  BatchWordTaken,
  Counts,
  RowsReport,
  RunOfRows,
} from '../../domain/batch/rows.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import { ROWS_REPORT } from '../entity/signals.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { Asked, State } from './state.js';

export { batchWorkflowId } from '../entity/signals.js';
export const BATCH_WORKFLOW = 'batch';

export interface BatchInput extends Asked {
  /** Everything that the run before knew: set by continue-as-new. */
  carried?: Carried<State> | undefined;
}

/** `receiving`: its rows are being handed over. `incomplete`: they never were, and none was begun. */
export const BATCH_STATES = ['receiving', 'running', 'paused', 'done', 'abandoned', 'incomplete'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

export interface BatchView {
  id: string;
  kind: BatchKind;
  state: BatchState;
  connectionId?: string | undefined;
  isDryRun: boolean;
  digest: string;
  requestedAt: Instant;
  requestedBy: string;
  /** Its runs in order, with what became of their rows. */
  runs: RunOfRows[];
  counts: Counts;
  /** The newest last. */
  words: BatchWordTaken[];
  awaiting: Awaiting;
  attention: Attention[];
}

/** How it ends: what became of its rows. */
export type BatchEnd = BatchView & { carried: Carried<State> };

/** All of its rows are there. */
export const rowsReceived = defineSignal('rowsReceived');
/** What became of the rows of one of its runs. */
export const rowsReport = defineSignal<[RowsReport]>(ROWS_REPORT);
/** A repeat changes nothing. Refused with `batch_over`. */
export const steerBatch = defineUpdate<void, [BatchWord]>('steerBatch');
export const getBatch = defineQuery<BatchView>('getBatch');

export const messages = { rowsReceived, rowsReport, steerBatch, getBatch };
