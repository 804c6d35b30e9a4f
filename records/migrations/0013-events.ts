// Events for backends: which entries are events, and the endpoints that receive them as webhooks.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'entries_events', definition: sql`entries (era, transaction, position) where event is not null` },
  { name: 'entries_event_id', definition: sql`entries (event_id) where event_id is not null` },
  { name: 'entries_event_time', definition: sql`entries (recorded_at) where event is not null` },
  { name: 'webhook_deliveries_newest', definition: sql`webhook_deliveries (endpoint_id, at, id)` },
  {
    name: 'webhook_deliveries_failed',
    definition: sql`webhook_deliveries (endpoint_id, at, id) where outcome <> 'delivered'`,
  },
  { name: 'webhook_deliveries_event', definition: sql`webhook_deliveries (event_id)` },
  { name: 'webhook_deliveries_at', definition: sql`webhook_deliveries (at)` },
];

const PLACE = sql`era integer not null, transaction xid8 not null, position bigint not null`;
const SEALED = sql`key_id text not null, sealed bytea not null`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table entries add column event text, add column event_id text`.execute(db);
  await sql`alter table feed_era add column events_expired_before timestamptz`.execute(db);
  await createEndpoints(db);
  await createProgress(db);
  await createDeliveries(db);
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await sql`
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
      ${SEALED}
    )`.execute(db);
  await sql`
    create table webhook_secrets (
      id text primary key,
      endpoint_id text not null references webhook_endpoints (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      ${SEALED}
    )`.execute(db);
  await sql`create index webhook_secrets_endpoint on webhook_secrets (endpoint_id)`.execute(db);
}

async function createProgress(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_cursors (
      endpoint_id text not null references webhook_endpoints (id) on delete cascade,
      id text not null,
      ${PLACE},
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
    )`.execute(db);
  await sql`
    create table webhook_waiting (
      endpoint_id text not null,
      cursor_id text not null,
      workflow_id text not null,
      ${PLACE},
      since timestamptz not null,
      attempts integer not null,
      next_at timestamptz not null,
      primary key (endpoint_id, cursor_id, workflow_id),
      foreign key (endpoint_id, cursor_id) references webhook_cursors (endpoint_id, id) on delete cascade
    )`.execute(db);
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
}
