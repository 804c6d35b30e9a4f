/** The endpoints that receive events as webhooks, how far each has come, and the attempts to deliver. */
export const WEBHOOKS = `
  create table webhook_endpoints (
    id text primary key,
    principal text not null,
    api_key_id text not null,
    request_key text not null unique,
    types text[],
    connections text[],
    form text not null,
    status text not null,
    disabled_because text,
    disabled_at timestamptz,
    key_scopes text[] not null,
    key_connections text[],
    key_confirmed_at timestamptz not null,
    attention jsonb not null default '[]',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null,
    key_id text not null,
    sealed bytea not null
  );

  create table webhook_secrets (
    id text primary key,
    endpoint_id text not null references webhook_endpoints (id) on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    key_id text not null,
    sealed bytea not null
  );
  create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);

  create table webhook_cursors (
    endpoint_id text not null references webhook_endpoints (id) on delete cascade,
    id text not null,
    era integer not null,
    transaction xid8 not null,
    position bigint not null,
    until_era integer,
    until_transaction xid8,
    until_position bigint,
    types text[],
    lease text,
    last_success_at timestamptz,
    failing_since timestamptz,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (endpoint_id, id)
  );

  create table webhook_waiting (
    endpoint_id text not null,
    cursor_id text not null,
    workflow_id text not null,
    era integer not null,
    transaction xid8 not null,
    position bigint not null,
    since timestamptz not null,
    attempts integer not null,
    next_at timestamptz not null,
    primary key (endpoint_id, cursor_id, workflow_id),
    foreign key (endpoint_id, cursor_id) references webhook_cursors (endpoint_id, id) on delete cascade
  );

  create table webhook_deliveries (
    id text primary key,
    endpoint_id text not null,
    cursor_id text not null,
    event_id text not null,
    event_type text not null,
    resource text not null,
    uid text not null,
    era integer,
    transaction xid8,
    position bigint,
    attempt integer not null,
    at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    status integer,
    problem text,
    key_id text,
    sealed bytea
  );
  create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, at, id);
  create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, at, id) where outcome <> 'delivered';
  create index webhook_deliveries_event on webhook_deliveries (event_id);
  create index webhook_deliveries_at on webhook_deliveries (at);
`;
