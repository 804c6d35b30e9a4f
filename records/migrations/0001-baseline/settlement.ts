/** Settlement reports, and their lines. */
export const SETTLEMENT = `
  create table settlement_reports (
    id bigint primary key generated always as identity,
    connection_id text not null,
    day date not null,
    state text not null,
    checksum text not null,
    line_count bigint not null,
    problem text,
    fetched_at timestamptz not null,
    key_id text,
    sealed bytea,
    unique (connection_id, day, checksum)
  );
  create index settlement_reports_day on settlement_reports (day);
  create index settlement_reports_version on settlement_reports (connection_id, day, fetched_at);

  create table settlement_lines (
    report_id bigint not null references settlement_reports (id) on delete cascade,
    line bigint not null,
    uid text not null,
    kind text,
    amount bigint,
    settled_at timestamptz,
    problem text,
    primary key (report_id, line)
  );
  create index settlement_lines_uid on settlement_lines (uid);
`;
