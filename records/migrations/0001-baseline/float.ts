/** The entries of float accounts, and when each account was last read. */
export const FLOAT = `
  create table float_entries (
    account_uid text not null,
    id text not null,
    connection_id text not null,
    at timestamptz not null,
    amount bigint not null,
    balance_after bigint not null,
    is_new boolean not null,
    is_fee boolean not null default false,
    payment_uid text,
    refund_uid text,
    -- Written before the row of the case has the entry, so that only one case gets it.
    case_uid text,
    stored_at timestamptz not null default now(),
    key_id text not null,
    sealed bytea not null,
    primary key (account_uid, id)
  );
  -- A payment is credited once, and debited once if its money is taken back. A refund is debited once, and credited once if it fails.
  create unique index float_entries_payment on float_entries (payment_uid, (amount > 0)) where payment_uid is not null;
  create unique index float_entries_refund on float_entries (refund_uid, (amount > 0)) where refund_uid is not null;
  create index float_entries_case on float_entries (case_uid) where case_uid is not null;
  create index float_entries_at on float_entries (account_uid, at, id);
  create index float_entries_on on float_entries (at);
  create index float_entries_day on float_entries (connection_id, ((at at time zone 'Australia/Sydney')::date));
  create index float_entries_unmatched on float_entries (account_uid, stored_at)
    where is_new and payment_uid is null and refund_uid is null;
  create index float_entries_to_match on float_entries (account_uid, at, id) include (amount)
    where payment_uid is null and refund_uid is null;

  create table float_readings (
    account_uid text primary key,
    read_at timestamptz not null,
    far_read_at timestamptz
  );
`;
