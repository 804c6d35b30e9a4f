/** The entries: every change of every workflow, in an order that a reader can follow without missing one. */
export const ENTRIES = `
  -- The number of the table of entries changes with each restore of a dump, so processes refuse to start until the rows are marked.
  create table feed_era (
    era integer not null,
    entries_oid oid,
    events_expired_before timestamptz
  );

  create table entries (
    era integer not null,
    transaction xid8 not null default pg_current_xact_id(),
    position bigint not null generated always as identity,
    workflow_id text not null,
    sequence bigint not null,
    task_follows bigint,
    resource text not null,
    uid text not null,
    connection_id text,
    kind text not null,
    name text not null,
    fact_id text,
    is_authenticated boolean,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null default now(),
    event text,
    event_id text,
    key_id text not null,
    sealed bytea not null,
    primary key (workflow_id, sequence, kind)
  );
  create unique index entries_feed on entries (era, transaction, position);
  create index entries_of_resource on entries (resource, uid, sequence);
  create index entries_fact on entries (fact_id) where fact_id is not null;
  create unique index entries_fact_once on entries (workflow_id, kind, fact_id, is_authenticated) where fact_id is not null;
  create index entries_events on entries (era, transaction, position) where event is not null;
  create index entries_event_id on entries (event_id) where event_id is not null;
  create index entries_event_time on entries (recorded_at) where event is not null;
  insert into feed_era (era, entries_oid) values (1, 'entries'::regclass);

  -- The application may not delete entries. This removes nothing but what the newest task of a workflow has stored.
  create function remove_unfinished(workflow text, after bigint) returns void
    language sql volatile security definer set search_path = public, pg_temp as $$
      delete from entries
      where workflow_id = workflow and sequence > after and task_follows = after
        and not exists (select from entries where workflow_id = workflow and task_follows > after)
    $$;
`;
