// Every place of the records and of Temporal, and whether it can hold data about a person. A test compares the list with the real schema, the search
// attributes and the memos, so that each new place is judged here first. See docs/operating.md#what-is-stored-where.
import type { RowTable, Tables } from './tables.js';

export interface PersonalPlace {
  /** `sealed`: encrypted. `hashed`: a keyed hash. `clear`: readable, so it may only hold what this says. */
  form: 'sealed' | 'hashed' | 'clear';
  what: string;
  /** What ends it for one person. */
  erasedBy: string;
  expires: string;
}

interface Places {
  personal: Readonly<Record<string, PersonalPlace>>;
  /**
   * Codes, times, amounts, counts, places in a feed, digests, ids that a process of ours made, and references to uids, which are judged where they are
   * chosen. Separated by blanks.
   */
  other: string;
}

const PAYER = 'npm run erase -- --agreement';
const WITH_ROW = 'with its row: RECORDS_RETENTION after the end (records/expire.ts)';
const LASTING = 'never: the row lasts, its older entries expire after RECORDS_RETENTION';
const BY_TIME = 'RECORDS_RETENTION after its time';
const STAFF = 'not: it names only operators and the merchant';
const OF_CALLER = 'not: callers must choose uids without personal data (docs/operating.md)';

const sealed = (what: string, erasedBy: string, expires: string): PersonalPlace => ({
  ...{ form: 'sealed', what, erasedBy, expires },
});
const clear = (what: string, expires: string, erasedBy = OF_CALLER): PersonalPlace => ({
  ...{ form: 'clear', what, erasedBy, expires },
});

/** The columns of every row that are not personal. */
const OF_EVERY_ROW = `connection_id version follows task_follows run_id state state_since state_since_source code awaiting awaiting_since
  awaiting_until attention requested_at last_fact_at updated_at key_id identity carried_key_id carried_version erased_at`;

interface OfRow {
  what: string;
  erasedBy: string;
  expires: string;
  /** Its own columns that are not personal. */
  own: string;
}

const rowPlaces = ({ what, erasedBy, expires }: OfRow): Places['personal'] => ({
  uid: clear('the uid, as a caller chose it', expires),
  workflow_id: clear('the uid', expires),
  sealed: sealed(what, erasedBy, expires),
  carried: sealed(`${what}, for a later run`, erasedBy, expires),
  search_tags: {
    ...{
      form: 'hashed',
      what: 'uid, id of the scheme, references, metadata and account of the payer',
      erasedBy,
      expires,
    },
  },
});

const rowTable = (of: OfRow, personal: Places['personal'] = {}): Places => ({
  personal: { ...rowPlaces(of), ...personal },
  other: `${OF_EVERY_ROW} changed_era changed_transaction ${of.own}`,
});

const ROWS: Readonly<Record<RowTable, Places>> = {
  agreements: rowTable({
    ...{ what: 'mandate with the payer, texts, metadata', erasedBy: PAYER, expires: WITH_ROW },
    own: `client_id terms_type frequency amount maximum_amount validity_start_date validity_end_date payer_decides_until
      consecutive_failures adopted planned payment_account_uids`,
  }),
  payments: rowTable({
    ...{ what: 'payer, texts, metadata', erasedBy: PAYER, expires: WITH_ROW },
    own: 'agreement_uid amount refunded_amount submissions submit_before settled_at',
  }),
  refunds: rowTable({
    ...{ what: 'texts', erasedBy: PAYER, expires: WITH_ROW },
    own: 'payment_uid amount submissions processed_at',
  }),
  clients: rowTable({
    ...{ what: 'a business with its contacts', erasedBy: STAFF, expires: LASTING },
    own: 'client_id parent_client_id adopted',
  }),
  counterparties: rowTable({
    ...{ what: 'names, accounts, identity', erasedBy: `${PAYER}, or --counterparty` },
    expires: 'RECORDS_RETENTION after it failed, or after its registration once no agreement names it',
    own: 'counterparty_id payment_account_uids adopted',
  }),
  onboardings: rowTable({
    ...{ what: 'names, accounts, contacts', erasedBy: PAYER, expires: WITH_ROW },
    own: 'step client_uid counterparty_uid agreement_uid payment_uid',
  }),
  batches: rowTable({
    ...{ what: 'reasons of operators, and counts; no rows', erasedBy: STAFF, expires: WITH_ROW },
    own: 'kind is_dry_run row_count counts',
  }),
  connections: rowTable({
    ...{ what: 'reasons of operators', erasedBy: STAFF, expires: LASTING },
    own: 'account_id scope generation expires_at',
  }),
  stops: rowTable({
    ...{ what: 'reasons of operators', erasedBy: STAFF, expires: LASTING },
    own: 'all_since connection_ids',
  }),
  notifications: rowTable(
    {
      ...{ what: 'any event of the provider, perhaps with a payer', erasedBy: `${PAYER}, or --notification` },
      expires: 'RECORDS_RETENTION after it was acknowledged, or after its arrival if no operator did',
      own: 'resource_type event_type published_at acknowledged_at',
    },
    { event_id: clear('the id of the event: a UUID or a hash', WITH_ROW) },
  ),
  float_accounts: rowTable({
    ...{ what: 'reasons of operators, balances', erasedBy: STAFF, expires: LASTING },
    own: 'balance entry_count last_entry_at',
  }),
  unmatched_credits: rowTable({
    ...{ what: 'payer, texts, reasons of operators', erasedBy: `${PAYER}, or --credit`, expires: WITH_ROW },
    own: 'account_uid amount received_at confirmed_at entry_id payment_uid agreement_uid',
  }),
};

type OtherTable = Exclude<keyof Tables, RowTable>;

const OTHERS: Readonly<Record<OtherTable | 'kysely_migration_lock', Places>> = {
  conflicts: {
    personal: rowPlaces({
      ...{ what: 'as the row of its resource', erasedBy: 'with that row', expires: WITH_ROW, own: '' },
    }),
    other: `${OF_EVERY_ROW} resource own`,
  },
  entries: {
    personal: {
      uid: clear('the uid of its resource', WITH_ROW),
      workflow_id: clear('the uid of its resource', WITH_ROW),
      fact_id: clear('the id of an event: a UUID or a hash, or made by us of the uid', WITH_ROW),
      sealed: sealed(
        'all that a row can have',
        'with the row',
        `${WITH_ROW}. Of lasting resources: ${BY_TIME}`,
      ),
    },
    other:
      'era transaction position sequence task_follows resource connection_id kind name is_authenticated occurred_at recorded_at event event_id key_id',
  },
  tombstones: {
    personal: { uid: clear('the uid', 'never: it must not be used again') },
    other: 'resource connection_id gone_at',
  },
  idempotency_keys: {
    personal: { uid: clear('the uid', 'IDEMPOTENCY_KEYS_RETENTION') },
    other: 'key resource body uses bound_at',
  },
  audit: {
    personal: {
      principal: clear('the operator', BY_TIME, STAFF),
      target: clear('the uid of the resource', BY_TIME),
      details: clear('codes and ids', BY_TIME),
    },
    other: 'id era transaction position at action outcome api_key_id request_id',
  },
  float_entries: {
    personal: {
      sealed: sealed('text of the payer or bank', `${PAYER}, --credit or --float-entry`, BY_TIME),
    },
    other: `id account_uid connection_id at amount balance_after is_new payment_uid refund_uid case_uid is_fee stored_at key_id`,
  },
  float_readings: { personal: {}, other: 'account_uid read_at far_read_at' },
  settlement_reports: {
    personal: { sealed: sealed('the bytes of the report, perhaps with payers', PAYER, BY_TIME) },
    other: 'id connection_id day state checksum line_count problem fetched_at key_id',
  },
  settlement_lines: {
    personal: { uid: clear('the uid of the payment or refund', 'with its report') },
    other: 'report_id line kind amount settled_at problem',
  },
  webhook_endpoints: {
    personal: {
      principal: clear('who made it', 'never: until it is deleted', STAFF),
      sealed: sealed('URL and description', STAFF, 'never: until it is deleted'),
    },
    other: `id api_key_id request_key types connections form status disabled_because disabled_at key_scopes key_connections
      key_confirmed_at attention created_at updated_at key_id`,
  },
  webhook_secrets: { personal: {}, other: 'id endpoint_id created_at expires_at key_id sealed' },
  webhook_cursors: {
    personal: {},
    other: `endpoint_id id era transaction position until_era until_transaction until_position types lease last_success_at
      failing_since created_at ended_at`,
  },
  webhook_waiting: {
    personal: { workflow_id: clear('the uid of its resource', 'once its events are delivered or set aside') },
    other: 'endpoint_id cursor_id era transaction position since attempts next_at',
  },
  webhook_deliveries: {
    personal: {
      uid: clear('the uid of its resource', 'WEBHOOK_DELIVERIES_RETENTION'),
      sealed: sealed(
        'the answer of the receiver, perhaps with what it received',
        PAYER,
        'WEBHOOK_DELIVERIES_RETENTION',
      ),
    },
    other: `id endpoint_id cursor_id event_id event_type resource era transaction position attempt at duration_ms outcome status
      problem key_id`,
  },
  sealing_keys: { personal: {}, other: 'key_id sealed sealed_since' },
  feed_era: { personal: {}, other: 'era entries_oid events_expired_before' },
  incomplete: { personal: {}, other: 'completed_by since' },
  records_progress: { personal: {}, other: 'is_only recorded_until' },
  kysely_migration: { personal: {}, other: 'name timestamp' },
  kysely_migration_lock: { personal: {}, other: 'id is_locked' },
  schema_support: { personal: {}, other: 'is_only oldest' },
};

/** By table. */
export const PLACES_IN_RECORDS: Readonly<Record<string, Places>> = { ...ROWS, ...OTHERS };

const OF_RUN = "the retention of Temporal's namespace after the end of the run";
const RUN_ENDS = 'Temporal, after the end of the run: end an open one with temporal workflow terminate';

/** Temporal stores search attributes in clear. They hold only states, ids and times. */
export const PLACES_IN_TEMPORAL = {
  payloads: sealed('states, requests and events', RUN_ENDS, OF_RUN),
  workflowId: clear('the uid, or the id of an event', OF_RUN),
  memos: {
    bound: sealed('digests of a request and the uid', RUN_ENDS, OF_RUN),
    reported: sealed('how a credit was reported', RUN_ENDS, OF_RUN),
  },
  searchAttributes: {
    personal: {
      AgreementUid: clear('the uid of an agreement', OF_RUN),
      PaymentAccountUids: clear('the uids of accounts', OF_RUN),
    },
    other: `AgreementState PaymentState RefundState ClientState OnboardingStep ConnectionStatus Awaiting ConnectionId ClientId
      AwaitingSince ClientsAbove Attention`,
  },
} as const satisfies {
  payloads: PersonalPlace;
  workflowId: PersonalPlace;
  memos: Readonly<Record<string, PersonalPlace>>;
  searchAttributes: Places;
};

/** Every name in it. */
export const namesIn = ({ personal, other }: Places): string[] => [
  ...Object.keys(personal),
  ...other.split(/\s+/).filter((name) => name !== ''),
];
