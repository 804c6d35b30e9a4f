// What every kind of row is carried out by.
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { BatchRow, Direction, Outcome, RowAnswer } from '../../domain/batch/rows.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';
import type { AccountReader } from './accounts.js';
import type { ClientReader } from './runs.js';

/** Rows of one kind, and what their batch says of all of them. */
export interface RowsTask {
  batch: string;
  /** Also decides which call Temporal gives to a worker next. */
  connectionId?: string | undefined;
  /** Rows are judged, and none is started. */
  isDryRun: boolean;
  /** The principal that asked for the batch. */
  by: string;
  rows: BatchRow[];
  /** By row, what blocked it when it was read last. */
  blocked: (AwaitingWhat | null)[];
}

export interface WatchTask extends RowsTask {
  /** Answers at once, also where there is no news. */
  isBrief: boolean;
}

export interface StartedRows {
  /** In the order of the rows. Fewer where the batch is no longer to start rows. */
  answers: RowAnswer[];
  /** As the batch was directed when it stopped. */
  direction?: Direction | undefined;
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
  /** What can be said of it before it is started: a refusal, or that it was started before. Changes nothing. */
  judge(scene: Scene, row: Row): Promise<RowAnswer | undefined>;
  /** As harmless the second time as a repeat of a single request. */
  start(scene: Scene, row: Row): Promise<RowAnswer>;
  /** What became of rows that were started; null of those of which there is no news. */
  watch(scene: Scene, rows: readonly Row[]): Promise<(RowAnswer | null)[]>;
}

/** Whether a row that was started is blocked, or not, as it was when it was read last. */
export function isAsBefore(
  { rows, blocked }: RowsTask,
  uid: string,
  outcome: Outcome,
  awaiting: string | undefined,
): boolean {
  const before = blocked[rows.findIndex((row) => row.uid === uid)] ?? undefined;
  return outcome === 'started' ? before === undefined : outcome === 'blocked' && before === awaiting;
}
