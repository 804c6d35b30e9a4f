// What every kind of row is carried out by.
import type { BatchRow, RowAnswer } from '../../domain/batch/rows.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';
import type { AccountReader } from './accounts.js';
import type { ClientReader } from './runs.js';

/** Rows of one kind, and what their batch says of all of them. */
export interface RowsTask {
  batch: string;
  /** Whose turn a call is at Temporal is decided by it, too. */
  connectionId?: string | undefined;
  /** Rows are judged, and none is begun. */
  isDryRun: boolean;
  /** The id of the API key that the batch was asked for with. */
  by: string;
  rows: BatchRow[];
}

/** What is at hand for all rows of one call. */
export interface Scene {
  deps: Pick<Dependencies, 'temporal' | 'taskQueue' | 'now' | 'sweep' | 'highRisk'>;
  visibility: Visibility;
  clients: ClientReader;
  accounts: AccountReader;
  task: RowsTask;
}

export interface RowsOf<Row extends BatchRow> {
  /** What can be said of it before it is begun: a refusal, or that it was begun before. Changes nothing. */
  judge(scene: Scene, row: Row): Promise<RowAnswer | undefined>;
  /** As harmless the second time as a repeat of a single request. */
  begin(scene: Scene, row: Row): Promise<RowAnswer>;
  /** What became of rows that were begun; null of those without an answer. */
  watch(scene: Scene, rows: readonly Row[]): Promise<(RowAnswer | null)[]>;
}
