// What a workflow hands to the records (PostgreSQL): the changes that are not stored yet, and its current view. Pure.
import type { KeyUse } from '../commands/key-use.js';
import type { FactSource, Instant } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

/**
 * `fact`: the provider said it. `command`: a caller or an operator requested it. `decision`: the workflow decided it. `attention`: a flag was
 * raised or lowered. `state`: the resource entered a state. `view`: the row at that time, from which rows can be rebuilt.
 */
export const ENTRY_KINDS = ['fact', 'command', 'decision', 'attention', 'state', 'view'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One change of a workflow. It is never changed afterwards. */
export interface Entry {
  /** Grows within a workflow, in the order of its changes. It is the id of the entry within its workflow. */
  sequence: number;
  kind: Exclude<EntryKind, 'view'>;
  /** A code: the type of the fact, the kind of the command or decision, the flag, or the new state. */
  name: string;
  /** The provider's id of the event. Only for facts and commands that are facts. */
  factId?: string | undefined;
  /** When it happened: for a fact, when the provider published it; otherwise by the workflow's clock. */
  at: Instant;
  /** Everything else. It may contain personal data, and is stored sealed. */
  data: object;
  /** Only if backends receive it as an event (event-types.ts). */
  event?: EntryEvent | undefined;
}

/** What makes an entry an event. */
export interface EntryEvent {
  /** Counts the events of the thing, so that a repeated workflow task makes the same event. */
  number: number;
  /** Absent: the workflow decided it. */
  cause?: EventCause | undefined;
  /** The view of the state that the entry is about. Absent: that of the row of its batch. */
  view?: object | undefined;
}

/** The fact or command that caused an event. */
export interface EventCause {
  source: FactSource;
  /** The type of the fact, or the kind of the command. */
  type: string;
  factId?: string | undefined;
  /** The principal, if it was a command. */
  by?: string | undefined;
}

/** The current row of a resource. */
export interface RowVersion {
  /** The sequence of the batch: greater than those of its entries. */
  version: number;
  /** By the workflow's clock. */
  at: Instant;
  /** The view of the workflow, from which the columns of the row are taken. It may contain personal data. */
  view: object;
}

/** What one call stores, all or nothing. A repeat changes nothing. */
export interface RecordBatch {
  resource: ResourceName;
  /** The id of the row: the uid of the resource, or the id of a connection, an onboarding, a batch or a notification. */
  uid: string;
  workflowId: string;
  runId: string;
  connectionId?: string | undefined;
  /** Made when the thing was created, and carried by all its runs. Another thing under the same uid has another one. Undefined: not known. */
  identity: string | undefined;
  /** The version that the batch before has given the row. 0: this is the first batch of the workflow. */
  follows: number;
  /** The same of the newest batch of an earlier task: a task may send several. If the task is repeated, all of them are replaced. */
  taskFollows: number;
  /** Oldest first. */
  entries: readonly Entry[];
  row: RowVersion;
  /** Uses of keys that the workflow has dropped from its register. */
  keys?: readonly KeyUse[] | undefined;
  /** Only of the batch that ends the workflow: what a later run needs to go on. It may contain personal data. */
  carried?: object | undefined;
  /** The row is as before. Only `carried` is new. */
  isSameView?: true | undefined;
}

/** `newest`: the version of the newest batch that the records have of the workflow. `refused`: the database refuses the data, as a code, and will again. */
export type RecordOutcome = { newest: number; refused?: undefined } | { refused: string };

export interface RecordWriter {
  /**
   * Stores a batch if it follows the newest batch of its workflow, or replaces one of a task that never completed. A repeat changes nothing. The
   * batch is stored if the newest one has its version.
   * @throws the error of the database if it did not answer. It may have stored the batch.
   */
  write: (batch: RecordBatch) => Promise<RecordOutcome>;
}
