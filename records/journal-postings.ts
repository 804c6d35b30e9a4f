// The postings of one day, as one statement of SQL: each settled payment, processed refund, entry of a float account, and decision of a case once.
import { sql, type RawBuilder } from 'kysely';
import { all, given, within, type Condition } from './conditions.js';
import type { Instant } from '../domain/facts/fact.js';

export interface PostingsRequest {
  from: Instant;
  until: Instant;
  connection: string | undefined;
}

export interface PostingRow {
  id: string;
  at: Date;
  connection_id: string;
  kind: string;
  debit: string;
  credit: string;
  amount: number;
  payment_uid: string | null;
  agreement_uid: string | null;
  refund_uid: string | null;
  account_uid: string | null;
  float_entry_id: string | null;
  case_uid: string | null;
}

/** The case of an entry. */
const CASE = sql`unmatched_credits decided on decided.uid = coalesce(entry.case_uid, entry.id) and decided.account_uid = entry.account_uid`;

/** Rows of `PostingRow`, in order. */
export function postingsIn({ from, until, connection }: PostingsRequest): RawBuilder<PostingRow> {
  const of = (table: string, time: string): Condition =>
    all(
      ...within(sql.ref(`${table}.${time}`), { from, until }),
      ...given(connection, (id) => sql`${sql.ref(`${table}.connection_id`)} = ${id}`),
    );
  return sql<PostingRow>`
    select 'settled/' || uid collate "C" as id, settled_at as at, connection_id, 'settled' as kind, 'clearing' as debit,
      'collections' as credit, amount, uid as payment_uid, agreement_uid, null as refund_uid, null as account_uid,
      null as float_entry_id, null as case_uid
    from payments where amount > 0 and ${of('payments', 'settled_at')}
    union all
    select 'refunded/' || uid, processed_at, connection_id, 'refunded', 'refunds', 'clearing', amount, payment_uid, null, uid,
      null, null, null
    from refunds where amount > 0 and ${of('refunds', 'processed_at')}
    union all
    select 'float/' || account_uid || '/' || id, at, connection_id, kind,
      case when amount > 0 then 'float/' || account_uid else other_side end,
      case when amount > 0 then other_side else 'float/' || account_uid end,
      abs(amount), payment_uid, null, refund_uid, account_uid, id, case_uid
    from (${floatEntries(of('entry', 'at'))}) classified
    union all
    ${decisions(of('decided', 'state_since'))}
    order by at, id`;
}

/** Every entry of a float account with an amount, and the account of its other side. None is left out. */
const floatEntries = (which: Condition): RawBuilder<unknown> => sql`
  select entry.id, entry.account_uid, entry.connection_id, entry.at, entry.amount, entry.payment_uid, entry.refund_uid,
    decided.uid as case_uid,
    case
      when decided.uid is not null then case when entry.amount > 0 then 'unmatched_credit' else 'returned' end
      when entry.payment_uid is not null then
        case when entry.amount > 0 then 'settled' else 'failed_after_settlement' end
      when entry.refund_uid is not null then
        case when entry.amount > 0 then 'refund_returned' else 'refunded' end
      when entry.is_fee then 'fee'
      else 'other' end as kind,
    case
      when decided.uid is not null then case when entry.amount > 0 then 'suspense' else 'returned' end
      when entry.payment_uid is not null then
        case when entry.amount < 0 and payments.settled_at is not null then 'collections' else 'clearing' end
      when entry.refund_uid is not null then
        case when entry.amount > 0 and refunds.processed_at is not null then 'refunds' else 'clearing' end
      when entry.is_fee then 'fees'
      else 'unexplained' end as other_side
  from float_entries entry
  left join ${CASE}
  left join payments on payments.uid = entry.payment_uid
  left join refunds on refunds.uid = entry.refund_uid
  where entry.amount <> 0 and ${which}`;

/** On the day of the decision. A matched payment that also settles is in collections already. */
const decisions = (which: Condition): RawBuilder<unknown> => sql`
  select 'decided/' || entry.account_uid || '/' || entry.id, decided.state_since, entry.connection_id,
    case when decided.state = 'returned' then 'returned' else 'unmatched_credit' end, 'suspense',
    case decided.state
      when 'matched' then case when payments.settled_at is null then 'collections' else 'clearing' end
      when 'kept' then 'kept'
      when 'returned' then 'returned'
      else 'unexplained' end,
    entry.amount, decided.payment_uid, decided.agreement_uid, null, entry.account_uid, entry.id, decided.uid
  from float_entries entry join ${CASE}
  left join payments on payments.uid = decided.payment_uid
  where decided.state in ('matched', 'kept', 'returned', 'ignored') and entry.amount > 0 and ${which}`;
