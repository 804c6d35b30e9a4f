// The tables of the records, as Kysely sees them. The migrations create them.
import type { ColumnType, Generated } from 'kysely';
import { RESOURCES, type ResourceName } from '../domain/resources.js';

type Underscored<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Name;
export type RowTable = Underscored<(typeof RESOURCES)[ResourceName]['plural']>;

/** The table of a resource. */
export const tableOf = (resource: ResourceName): RowTable =>
  RESOURCES[resource].plural.replaceAll('-', '_') as RowTable;

export interface EntryTable {
  /** The transaction that stored it. Transactions may commit in another order. */
  era: number;
  transaction: Generated<string>;
  position: Generated<number>;
  workflow_id: string;
  sequence: number;
  /** The newest batch before the task that brought it. Null: no workflow did. */
  task_follows: number | null;
  resource: string;
  uid: string;
  connection_id: string | null;
  kind: string;
  name: string;
  fact_id: string | null;
  /** Of an entry with a fact: whether it came with a valid signature, or from the provider's API. */
  is_authenticated: boolean | null;
  occurred_at: Date;
  recorded_at: ColumnType<Date, never, never>;
  /** The type and the id of the event that backends receive. Null: it is none. */
  event: string | null;
  event_id: string | null;
  key_id: string;
  sealed: Buffer;
}

/** The columns that every row has. */
export interface RowColumns {
  uid: string;
  workflow_id: string;
  connection_id: string | null;
  /** The newest batch of the workflow. */
  version: number;
  /** The batch before it. 0: there is none. */
  follows: number;
  /** The newest batch of an earlier task. */
  task_follows: number;
  /** The run that sent the batch. */
  run_id: string | null;
  state: string;
  state_since: Date | null;
  /** `lookup`: the time when a look-up first showed the state, until an event tells when it began. */
  state_since_source: string | null;
  code: string | null;
  awaiting: string | null;
  awaiting_since: Date | null;
  awaiting_until: Date | null;
  attention: string[];
  requested_at: Date | null;
  last_fact_at: Date | null;
  updated_at: Date;
  /** The place of its last change, in the order of changed-rows.ts. */
  changed_era: number;
  changed_transaction: string;
  /** What a caller can search for without its value being readable (tags.ts). */
  search_tags: string[];
  key_id: string;
  sealed: Buffer;
  /** Made when the thing was created. Null: not known. */
  identity: string | null;
  /** What a later run needs to go on, sealed by itself. Usable only while the row has the version `carried_version`. */
  carried: Buffer | null;
  carried_key_id: string | null;
  carried_version: number | null;
  /** When its personal data was erased. From then on, batches bring none back. */
  erased_at: Date | null;
}

/** Another thing that was requested under the uid of a row. `workflow_id` is that of its entries. */
export interface ConflictTable extends Omit<RowColumns, 'changed_era' | 'changed_transaction'> {
  resource: string;
  identity: string;
  /** The columns that only its resource has. */
  own: ColumnType<Record<string, unknown>, string, string>;
}

/** A thing that has expired. It must not come back. */
export interface TombstoneTable {
  resource: string;
  uid: string;
  connection_id: string | null;
  gone_at: Date;
}

/** The use of an `Idempotency-Key` for a request that no run remembers (key-bindings.ts). Only digests. */
export interface IdempotencyKeyTable {
  key: string;
  resource: string;
  uid: string;
  body: string;
  /** How many requests have used it. */
  uses: Generated<number>;
  bound_at: ColumnType<Date, Date | undefined, never>;
}

/** What an operator did. Only codes and ids. */
export interface AuditTable {
  /** Made by the process that appends it, so that a repeated append stores it once. */
  id: string;
  /** The transaction that stored it. Transactions may commit in another order. */
  era: number;
  transaction: Generated<string>;
  position: Generated<number>;
  at: ColumnType<Date, Date | undefined, never>;
  action: string;
  outcome: string;
  api_key_id: string | null;
  principal: string | null;
  request_id: string | null;
  /** The workflow or connection that it was about. */
  target: string | null;
  details: ColumnType<Record<string, unknown>, string, never>;
}

/** An entry of a float account, stored once. */
export interface FloatEntryTable {
  /** The provider's id. */
  id: string;
  account_uid: string;
  connection_id: string;
  /** By the provider's clock. */
  at: Date;
  /** Cents: positive for a credit, negative for a debit. */
  amount: number;
  balance_after: number;
  /** Found after the first reading of the account. An unmatched credit among them becomes a case. */
  is_new: boolean;
  /** The payment or refund that its text names, with the same amount. */
  payment_uid: string | null;
  refund_uid: string | null;
  /** The unmatched credit that has this entry, or that this debit returns. */
  case_uid: ColumnType<string | null, never, string>;
  /** A debit whose text says that it is a fee. */
  is_fee: ColumnType<boolean, boolean, never>;
  stored_at: ColumnType<Date, never, never>;
  key_id: string;
  sealed: Buffer;
}

/** When the newest reading of a float account that succeeded began. */
export interface FloatReadingTable {
  account_uid: string;
  read_at: Date;
  /** The same of the newest reading of the last days. */
  far_read_at: Date | null;
}

/** A settlement report as it was downloaded. If the provider changes it, the later version gets a row of its own. */
export interface SettlementReportTable {
  id: Generated<number>;
  connection_id: string;
  /** In Sydney, YYYY-MM-DD. */
  day: string;
  state: string;
  /** SHA-256 of the bytes, in hex. Empty if there is no report. */
  checksum: string;
  line_count: number;
  /** Why it has no lines, as a code. */
  problem: string | null;
  /** When the provider last returned this version. */
  fetched_at: Date;
  key_id: string | null;
  /** The bytes. */
  sealed: Buffer | null;
}

export interface SettlementLineTable {
  report_id: number;
  /** From 1, without the header. */
  line: number;
  /** Empty if the line has no usable one. */
  uid: string;
  /** `payment` or `refund`; null if the line does not say it. */
  kind: string | null;
  /** Cents; null if the line has no usable amount. Negative only for a reversal. */
  amount: number | null;
  settled_at: Date | null;
  /** `reversal` or `unlisted_type`: it has a uid and an amount, and is no settlement. */
  problem: string | null;
}

/** A canary for each key that has sealed anything (keys.ts). */
export interface SealingKeyTable {
  key_id: string;
  sealed: Buffer;
  sealed_since: ColumnType<Date, never, never>;
}

/** Where signed events are sent (docs/events.md). `sealed` has its URL and description. */
export interface WebhookEndpointTable {
  id: string;
  /** Who made it, and with which key. It stops when no API process has confirmed the key for some minutes. */
  principal: string;
  api_key_id: string;
  /** A digest of the caller's `Idempotency-Key`. */
  request_key: string;
  /** Event types, or `agreement.*`. Null: all. */
  types: string[] | null;
  /** Null: all that the key may see. */
  connections: string[] | null;
  form: string;
  status: string;
  /** Why it is disabled, as a code. */
  disabled_because: string | null;
  disabled_at: Date | null;
  /** As the API processes last confirmed the key. */
  key_scopes: string[];
  key_connections: string[] | null;
  key_confirmed_at: Date;
  /** Flags (domain/attention/flags.ts). They name only ids, codes and statuses. */
  attention: ColumnType<object[], string | undefined, string>;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: Date;
  key_id: string;
  sealed: Buffer;
}

/** A signing secret of an endpoint, sealed. */
export interface WebhookSecretTable {
  id: string;
  endpoint_id: string;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** It no longer signs from then on. Null: it is the newest. */
  expires_at: Date | null;
  key_id: string;
  sealed: Buffer;
}

/** How far an endpoint has come on the feed: `live`, or the id of a replay. */
export interface WebhookCursorTable {
  endpoint_id: string;
  id: string;
  /** The place of the last event that is delivered, or whose resource waits. */
  era: number;
  transaction: string;
  position: number;
  /** Of a replay: its last place, and its types. */
  until_era: number | null;
  until_transaction: string | null;
  until_position: number | null;
  types: string[] | null;
  /** The activity that works with it now. Another one must not write. */
  lease: string | null;
  last_success_at: Date | null;
  /** The first failure since the last success. */
  failing_since: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  ended_at: Date | null;
}

/** A resource whose events wait, because one of them could not be delivered. */
export interface WebhookWaitingTable {
  endpoint_id: string;
  cursor_id: string;
  workflow_id: string;
  /** The place before its next event. */
  era: number;
  transaction: string;
  position: number;
  /** When its next event failed first, how often it was tried, and when it is tried again. */
  since: Date;
  attempts: number;
  next_at: Date;
}

/** One attempt to deliver an event. `sealed` has the start of the answer. */
export interface WebhookDeliveryTable {
  id: string;
  endpoint_id: string;
  /** `live`, the id of a replay, or `manual`. */
  cursor_id: string;
  event_id: string;
  event_type: string;
  resource: string;
  uid: string;
  era: number | null;
  transaction: string | null;
  position: number | null;
  attempt: number;
  at: Date;
  duration_ms: number;
  /** `delivered`, `failed`, or `set_aside`: the last attempt failed. */
  outcome: string;
  /** The HTTP status. Null: there was none, and `problem` says why. */
  status: number | null;
  problem: string | null;
  key_id: string | null;
  sealed: Buffer | null;
}

export type Tables = Record<RowTable, RowColumns> & {
  conflicts: ConflictTable;
  tombstones: TombstoneTable;
  idempotency_keys: IdempotencyKeyTable;
  /** A row for each command that must complete the rows, for example after a restore. */
  incomplete: { completed_by: string; since: Generated<Date> };
  float_entries: FloatEntryTable;
  float_readings: FloatReadingTable;
  settlement_reports: SettlementReportTable;
  settlement_lines: SettlementLineTable;
  entries: EntryTable;
  audit: AuditTable;
  sealing_keys: SealingKeyTable;
  /** `events_expired_before`: events until then may be missing, because the retention has deleted some. */
  feed_era: { era: number; entries_oid: number; events_expired_before: Date | null };
  webhook_endpoints: WebhookEndpointTable;
  webhook_secrets: WebhookSecretTable;
  webhook_cursors: WebhookCursorTable;
  webhook_waiting: WebhookWaitingTable;
  webhook_deliveries: WebhookDeliveryTable;
  records_progress: { recorded_until: Date };
  kysely_migration: { name: string };
  /** One row: the oldest migration whose processes may run. */
  schema_support: { oldest: string };
};
