// The tables of resources have their current rows, `conflicts` has others that were requested under the same uid, and `tombstones` those that expired.

/** The columns that rows and conflicts have, as the newest batch wrote them. */
const WRITTEN = `
  version bigint not null,
  state text not null,
  state_since timestamptz,
  state_since_source text,
  code text,
  awaiting text,
  awaiting_since timestamptz,
  awaiting_until timestamptz,
  attention text[] not null,
  requested_at timestamptz,
  last_fact_at timestamptz,
  updated_at timestamptz not null,
  key_id text not null,
  sealed bytea not null,
  carried bytea,
  carried_key_id text,
  carried_version bigint,
  erased_at timestamptz`;

/** The table of each resource, with the columns that only it has. */
export const TABLES = {
  agreements: `
    client_id text, terms_type text, frequency text, amount bigint, maximum_amount bigint,
    validity_start_date date, validity_end_date date, payer_decides_until timestamptz,
    consecutive_failures bigint, adopted boolean, planned jsonb, payment_account_uids text[]`,
  payments: `
    agreement_uid text, amount bigint, refunded_amount bigint, submissions bigint,
    submit_before timestamptz, settled_at timestamptz`,
  refunds: 'payment_uid text, amount bigint, submissions bigint, processed_at timestamptz',
  clients: 'client_id text, parent_client_id text, adopted boolean',
  counterparties: 'counterparty_id text, payment_account_uids text[], adopted boolean',
  onboardings: 'step text, client_uid text, counterparty_uid text, agreement_uid text, payment_uid text',
  batches: 'kind text, is_dry_run boolean, row_count bigint, counts jsonb',
  connections: 'account_id text, scope text, generation bigint, expires_at timestamptz',
  stops: 'all_since timestamptz, connection_ids text[]',
  notifications: `
    resource_type text, event_type text, event_id text, published_at timestamptz, acknowledged_at timestamptz`,
  float_accounts: 'balance bigint, entry_count bigint, last_entry_at timestamptz',
  unmatched_credits: `
    account_uid text, amount bigint, received_at timestamptz, confirmed_at timestamptz,
    payment_uid text, agreement_uid text, entry_id text`,
} as const;

/** The order of the lists (records/lists.ts). A row without a time of request comes last. */
const CREATED = "(coalesce(requested_at, timestamptz '1970-01-01 00:00:00+00'))";

const createTable = ([table, own]: [string, string]): string => `
  create table ${table} (
    uid text primary key,
    workflow_id text not null,
    run_id text,
    connection_id text,
    identity text,
    follows bigint not null default 0,
    task_follows bigint not null default 0,
    ${WRITTEN},
    search_tags text[] not null default '{}',
    changed_era integer not null,
    changed_transaction xid8 not null default pg_current_xact_id(),
    ${own}
  );
  create index ${table}_created on ${table} (${CREATED}, uid);
  create index ${table}_created_in_state on ${table} (state, ${CREATED}, uid);
  create index ${table}_created_in_connection on ${table} (connection_id, ${CREATED}, uid);
  create index ${table}_created_awaiting on ${table} (awaiting, ${CREATED}, uid) where awaiting <> 'nothing';
  create index ${table}_flagged on ${table} (${CREATED}, uid) where attention <> '{}';
  create index ${table}_tags on ${table} using gin (search_tags);
  create index ${table}_changed on ${table} (changed_era, changed_transaction, uid);
`;

/** `payments_totals` does the same for payments. */
const BY_STATE_SINCE = Object.keys(TABLES)
  .filter((table) => table !== 'payments')
  .map((table) => `create index ${table}_state_since on ${table} (state_since);`);

/** The included columns let PostgreSQL filter and sort without reading the rows. */
const INDEXES = `
  create index agreements_updated on agreements (updated_at);
  create index agreements_running on agreements (client_id, state);
  create index agreements_planned on agreements (connection_id) where planned is not null;
  create index agreements_accounts on agreements using gin (payment_account_uids);

  create index payments_created_in_agreement on payments (agreement_uid, ${CREATED}, uid);
  create index payments_amount on payments (amount, requested_at, uid) include (connection_id);
  create index payments_updated on payments (updated_at) include (requested_at, uid, connection_id);
  create index payments_totals on payments (state_since) include (state, amount, connection_id);
  create index payments_settled_at on payments (settled_at);
  create index payments_requested_day on payments (connection_id, ((requested_at at time zone 'Australia/Sydney')::date));
  create index payments_settled_day on payments (connection_id, ((settled_at at time zone 'Australia/Sydney')::date))
    where settled_at is not null;

  create index refunds_payment_uid on refunds (payment_uid);
  create index refunds_processed_at on refunds (processed_at);
  create index refunds_processed_day on refunds (connection_id, ((processed_at at time zone 'Australia/Sydney')::date))
    where processed_at is not null;

  create index clients_client_id on clients (client_id);
  create index clients_parent on clients (parent_client_id);
  create index counterparties_accounts on counterparties using gin (payment_account_uids);

  create index unmatched_credits_like on unmatched_credits (account_uid, amount, received_at);
  create index unmatched_credits_payment on unmatched_credits (payment_uid) where payment_uid is not null;
`;

const CONFLICTS = `
  create table conflicts (
    resource text not null,
    uid text not null,
    identity text not null,
    workflow_id text not null,
    run_id text,
    connection_id text,
    follows bigint not null,
    task_follows bigint not null,
    ${WRITTEN},
    search_tags text[] not null,
    own jsonb not null,
    primary key (resource, uid, identity)
  );

  create table tombstones (
    resource text not null,
    uid text not null,
    connection_id text,
    gone_at timestamptz not null,
    primary key (resource, uid)
  );
`;

export const ROWS = [...Object.entries(TABLES).map(createTable), ...BY_STATE_SINCE, INDEXES, CONFLICTS].join(
  '\n',
);
