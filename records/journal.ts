// The journal: double entry of payments, refunds and float accounts, day by day, in pages.
import { sql } from 'kysely';
import { addDays } from '../domain/time/calendar.js';
import { startOfSydneyDay } from '../domain/time/sydney.js';
import { all, given, within } from './conditions.js';
import { readStatement } from './float-entries.js';
import type { RawBuilder } from 'kysely';
import type { Instant } from '../domain/facts/fact.js';
import type { Statement } from '../domain/float/statement.js';
import type { Day } from '../domain/time/calendar.js';
import type { Condition } from './conditions.js';
import type { Opened } from './database.js';

/** One posting: the amount is debited to one ledger account and credited to another, so every set balances. */
export interface Posting {
  /** Made of its kind and the id of its source, so that it is the same in every answer. */
  id: string;
  day: Day;
  at: Instant;
  connectionId: string;
  kind: string;
  debit: string;
  credit: string;
  /** Cents, above 0. */
  amount: number;
  paymentUid: string | undefined;
  refundUid: string | undefined;
  accountUid: string | undefined;
  floatEntryId: string | undefined;
  caseUid: string | undefined;
}

/** The closing balance of a float account, equal to that of its statement. */
export interface JournalBalance {
  day: Day;
  connectionId: string;
  accountUid: string;
  closing: number;
}

export interface JournalRequest {
  /** The first day and the last one, in Sydney. Both are included. */
  from: Day;
  until: Day;
  connection: string | undefined;
}

export interface JournalPart {
  postings: Posting[];
  balances: JournalBalance[];
}

const AT_ONCE = 2000;

/** Reads in the order of the days, at constant memory except for the entries of one account and day. @throws the errors of the database. */
export async function* readJournal(
  opened: Pick<Opened, 'db'>,
  { from, until, connection }: JournalRequest,
): AsyncGenerator<JournalPart> {
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const request = {
      day,
      from: startOfSydneyDay(day),
      until: startOfSydneyDay(addDays(day, 1)),
      connection,
    };
    yield* postingsOf(opened, request);
    yield* chainsOf(opened, request);
  }
}

interface DayRequest {
  day: Day;
  from: Instant;
  until: Instant;
  connection: string | undefined;
}

interface PostingRow {
  id: string;
  at: Date;
  connection_id: string;
  kind: string;
  debit: string;
  credit: string;
  amount: number;
  payment_uid: string | null;
  refund_uid: string | null;
  account_uid: string | null;
  float_entry_id: string | null;
  case_uid: string | null;
}

async function* postingsOf({ db }: Pick<Opened, 'db'>, request: DayRequest): AsyncGenerator<JournalPart> {
  let after = { at: request.from, id: '' };
  for (;;) {
    const { rows } = await sql<PostingRow>`
      select * from (${postings({ ...request, from: after.at })}) posting
      where (at, id) > (${after.at}::timestamptz, ${after.id}) order by at, id limit ${AT_ONCE}`.execute(db);
    const page = rows.map((row) => postingOf(request.day, row));
    if (page.length > 0) yield { postings: page, balances: [] };
    after = page.at(-1) ?? after;
    if (rows.length < AT_ONCE) return;
  }
}

/** The case of an entry. */
const CASE = sql`unmatched_credits decided on decided.uid = coalesce(entry.case_uid, entry.id) and decided.account_uid = entry.account_uid`;

function postings({ from, until, connection }: DayRequest): RawBuilder<unknown> {
  const of = (table: string, time: string): Condition =>
    all(
      ...within(sql.ref(`${table}.${time}`), { from, until }),
      ...given(connection, (id) => sql`${sql.ref(`${table}.connection_id`)} = ${id}`),
    );
  return sql`
    select 'settled/' || uid collate "C" as id, settled_at as at, connection_id, 'settled' as kind, 'clearing' as debit,
      'collections' as credit, amount, uid as payment_uid, null as refund_uid, null as account_uid,
      null as float_entry_id, null as case_uid
    from payments where amount > 0 and ${of('payments', 'settled_at')}
    union all
    select 'refunded/' || uid, processed_at, connection_id, 'refunded', 'refunds', 'clearing', amount, payment_uid, uid,
      null, null, null
    from refunds where amount > 0 and ${of('refunds', 'processed_at')}
    union all
    select 'float/' || account_uid || '/' || id, at, connection_id, kind,
      case when amount > 0 then 'float/' || account_uid else other_side end,
      case when amount > 0 then other_side else 'float/' || account_uid end,
      abs(amount), payment_uid, refund_uid, account_uid, id, case_uid
    from (${floatEntries(of('entry', 'at'))}) classified
    union all
    ${decisions(of('decided', 'state_since'))}`;
}

/** Every entry of a float account with an amount, and the account of its other side. None is left out. */
const floatEntries = (which: Condition): RawBuilder<unknown> => sql`
  select entry.id, entry.account_uid, entry.connection_id, entry.at, entry.amount, entry.payment_uid, entry.refund_uid,
    decided.uid as case_uid,
    case
      when decided.uid is not null then 'unmatched_credit'
      when entry.payment_uid is not null then
        case when entry.amount > 0 then 'settled' else 'failed_after_settlement' end
      when entry.refund_uid is not null then
        case when entry.amount > 0 then 'refund_returned' else 'refunded' end
      else 'other' end as kind,
    case
      when decided.uid is not null then 'suspense'
      when entry.payment_uid is not null then
        case when entry.amount < 0 and payments.settled_at is not null then 'collections' else 'clearing' end
      when entry.refund_uid is not null then
        case when entry.amount > 0 and refunds.processed_at is not null then 'refunds' else 'clearing' end
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
    entry.amount, decided.payment_uid, null, entry.account_uid, entry.id, decided.uid
  from float_entries entry join ${CASE}
  left join payments on payments.uid = decided.payment_uid
  where decided.state in ('matched', 'kept', 'returned', 'ignored') and entry.amount > 0 and ${which}`;

/** The opening balances of accounts, the differences of their chains, and their closing balances. */
async function* chainsOf(opened: Pick<Opened, 'db'>, request: DayRequest): AsyncGenerator<JournalPart> {
  // From one account to the next by the index, because most entries are of earlier days.
  const { rows } = await sql<{ account_uid: string; connection_id: string; first_at: Date }>`
    with recursive account as (
      (select account_uid from float_entries order by account_uid limit 1)
      union all
      select (select account_uid from float_entries
        where account_uid > account.account_uid order by account_uid limit 1)
      from account where account_uid is not null)
    select account_uid, first.connection_id, first.at as first_at from account
    cross join lateral (select connection_id, at from float_entries
      where float_entries.account_uid = account.account_uid order by at limit 1) first
    where first.at < ${request.until}
      and ${all(...given(request.connection, (id) => sql`first.connection_id = ${id}`))}
    order by account_uid`.execute(opened.db);
  for (const { account_uid: accountUid, connection_id: connectionId, first_at: first } of rows) {
    const statement = await readStatement(opened, accountUid, request);
    const isFirstDay = first.toISOString() >= request.from;
    yield {
      postings: differencesOf({ day: request.day, accountUid, connectionId }, statement, isFirstDay),
      balances: [{ day: request.day, connectionId, accountUid, closing: statement.closing ?? 0 }],
    };
  }
}

function differencesOf(
  of: Pick<JournalBalance, 'day' | 'accountUid' | 'connectionId'>,
  { opening = 0, entries, breaks }: Statement,
  isFirstDay: boolean,
): Posting[] {
  const times = new Map(entries.map(({ id, at }) => [id, at]));
  const post = (kind: string, floatEntryId: string, cents: number): Posting => {
    const [float, other] = [`float/${of.accountUid}`, kind === 'opening' ? 'opening_balance' : 'unexplained'];
    const [debit, credit] = cents > 0 ? [float, other] : [other, float];
    return {
      ...{
        id: `${kind}/${of.accountUid}/${floatEntryId}`,
        at: times.get(floatEntryId) ?? startOfSydneyDay(of.day),
      },
      ...{ ...of, kind, debit, credit, amount: Math.abs(cents), floatEntryId },
      ...{ paymentUid: undefined, refundUid: undefined, caseUid: undefined },
    };
  };
  const first = isFirstDay ? entries[0] : undefined;
  const opened = first === undefined || opening === 0 ? [] : [post('opening', first.id, opening)];
  return [
    ...opened,
    ...breaks.map(({ afterId, expected, found }) => post('chain_difference', afterId, found - expected)),
  ];
}

const postingOf = (day: Day, row: PostingRow): Posting => ({
  ...{ id: row.id, day, at: row.at.toISOString(), connectionId: row.connection_id, kind: row.kind },
  ...{ debit: row.debit, credit: row.credit, amount: row.amount, paymentUid: row.payment_uid ?? undefined },
  ...{ refundUid: row.refund_uid ?? undefined, accountUid: row.account_uid ?? undefined },
  ...{ floatEntryId: row.float_entry_id ?? undefined, caseUid: row.case_uid ?? undefined },
});
