/** What operators and processes need: the audit log, keys, how complete the records are, and which processes may start. */
export const OPERATION = `
  create table audit (
    id uuid not null unique,
    era integer not null,
    transaction xid8 not null default pg_current_xact_id(),
    position bigint primary key generated always as identity,
    at timestamptz not null default now(),
    action text not null,
    outcome text not null,
    api_key_id text,
    principal text,
    request_id text,
    target text,
    details jsonb not null default '{}'
  );
  create index audit_at on audit (at, position);
  create index audit_feed on audit (era, transaction, position);

  -- Idempotency keys of requests that no run remembers.
  create table idempotency_keys (
    key text primary key,
    resource text not null,
    uid text not null,
    body text not null,
    uses integer not null default 1,
    bound_at timestamptz not null default now()
  );
  create index idempotency_keys_bound on idempotency_keys (bound_at);

  -- A canary for each key that has sealed anything, so that a process without the key stops at its start.
  create table sealing_keys (
    key_id text primary key,
    sealed bytea not null,
    sealed_since timestamptz not null default now()
  );

  -- How far the records are. Workers move it on while they can store.
  create table records_progress (
    is_only boolean primary key default true check (is_only),
    recorded_until timestamptz not null
  );
  insert into records_progress (recorded_until) values (now());

  create table incomplete (
    completed_by text primary key,
    since timestamptz not null default now()
  );

  -- The oldest migration whose processes may still start with this database. Each migration writes it (records/migrate.ts).
  create table schema_support (
    is_only boolean primary key default true check (is_only),
    oldest text not null
  );
`;
