import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { BatchRow, Direction, RowOutcome, RowAnswer } from '../../domain/batch/rows.js';
import type { Repair } from '../../domain/batch/repair.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';
import type { AccountReader } from './accounts.js';
import type { ClientReader } from './runs.js';

/** Rows of one kind, with the settings of their batch. */
export interface RowsTask {
  batch: string;
  /** Also Temporal's fairness key, so that one connection does not delay others. */
  connectionId?: string | undefined;
  /** Judge the rows without starting any. */
  isDryRun: boolean;
  /** The principal that requested the batch. */
  by: string;
  /** Only of a batch that repairs resources. */
  repair?: Repair | undefined;
  rows: BatchRow[];
  /** For each row, what blocked it at the last read. */
  blocked: (AwaitingWhat | null)[];
}

export interface WatchTask extends RowsTask {
  /** Answer at once, even if there is no news. */
  isBrief: boolean;
  /** The uids of the rows that are to be started again, because a workflow did not answer. */
  unanswered: string[];
}

export interface StartedRows {
  /** In the order of the rows. Shorter if the batch was paused or abandoned. */
  answers: RowAnswer[];
  /** The direction of the batch that stopped the rows; absent if all have an answer. */
  direction?: Direction | undefined;
}

/** The context of one call, shared by all its rows. */
export interface Scene {
  deps: Pick<Dependencies, 'temporal' | 'taskQueue' | 'now' | 'sweep' | 'highRisk' | 'records'>;
  visibility: Visibility;
  clients: ClientReader;
  accounts: AccountReader;
  task: RowsTask;
}

/** Clients and accounts of other connections are as unknown to a batch as to a key that is bound to its connection. The provider judges what we do not find. */
export const ofConnection =
  <Found extends { connectionId?: string | undefined }>(
    read: (id: string) => Promise<Found | undefined>,
    connectionId: string | undefined,
  ) =>
  async (id: string): Promise<Found | undefined> => {
    const found = await read(id);
    const isOther =
      found?.connectionId !== undefined && connectionId !== undefined && found.connectionId !== connectionId;
    return isOther ? undefined : found;
  };

export interface RowsOf<Row extends BatchRow> {
  /** Checks a row before it is started: returns a refusal, or the answer if it was started before. Changes nothing. */
  judge(scene: Scene, row: Row): Promise<RowAnswer | undefined>;
  /** Idempotent, like a repeated single request. */
  start(scene: Scene, row: Row): Promise<RowAnswer>;
  /** Reads the outcomes of started rows; null for rows without news. */
  watch(scene: Scene, rows: readonly Row[]): Promise<(RowAnswer | null)[]>;
}

/** Whether a started row is blocked by the same cause as at the last read, or still not blocked. */
export function isAsBefore(
  { rows, blocked }: RowsTask,
  uid: string,
  outcome: RowOutcome,
  awaiting: string | undefined,
): boolean {
  const before = blocked[rows.findIndex((row) => row.uid === uid)] ?? undefined;
  return outcome === 'started' ? before === undefined : outcome === 'blocked' && before === awaiting;
}

/** The same for an agreement of another connection: the key of the batch may be bound to this one. */
export const agreementNotFound = ({ connectionId }: Pick<RowsTask, 'connectionId'>): string =>
  `agreement not found${connectionId === undefined ? '' : ` on connection ${connectionId}`}; check its uid`;

/** The key of a command, the same however often the row is started. It never equals a caller's key, which is a digest. */
export const repairKey = ({ batch }: Pick<RowsTask, 'batch'>, uid: string): string => `batch/${batch}/${uid}`;
