// The journal: double entry of payments, refunds and float accounts, day by day, of one moment.
import { sql, type Kysely } from 'kysely';
import { addDays, type Day } from '../domain/time/calendar.js';
import { startOfSydneyDay } from '../domain/time/sydney.js';
import { all, given } from './conditions.js';
import { readStatement } from './float-entries.js';
import { postingsIn, type PostingRow, type PostingsRequest } from './journal-postings.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Statement } from '../domain/float/statement.js';
import type { Opened } from './database.js';
import type { Tables } from './tables.js';

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
  agreementUid: string | undefined;
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
  /** Whether the account was read after the end of the day. */
  isComplete: boolean;
}

export interface JournalRequest {
  /** The first day and the last one, in Sydney. Both are included. */
  from: Day;
  until: Day;
  connection: string | undefined;
}

/** What a day debited and credited to a ledger account. Over all accounts of a connection, both are equal. */
export interface JournalTotal {
  day: Day;
  connectionId: string;
  account: string;
  debit: number;
  credit: number;
}

export interface JournalPart {
  postings: Posting[];
  balances: JournalBalance[];
  /** The last part of a day. */
  totals: JournalTotal[];
}

const NOTHING: JournalPart = { postings: [], balances: [], totals: [] };

const AT_ONCE = 2000;
/** The server ends the transaction of a reader that stops for so long. */
const IDLE_MS = 60_000;

/**
 * Reads in the order of the days, at constant memory except for the entries of one account and day. All parts are of one moment: a transaction is open
 * until the last one. @throws the errors of the database.
 */
export async function* readJournal(
  { db }: Pick<Opened, 'db'>,
  { from, until, connection }: JournalRequest,
): AsyncGenerator<JournalPart> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_MS)}`.execute(snapshot);
    for (let day = from; day <= until; day = addDays(day, 1))
      yield* readDay(snapshot, {
        ...{ day, connection, from: startOfSydneyDay(day) },
        until: startOfSydneyDay(addDays(day, 1)),
      });
  } finally {
    await snapshot.rollback().execute();
  }
}

interface DayRequest extends PostingsRequest {
  day: Day;
}

async function* readDay(db: Kysely<Tables>, request: DayRequest): AsyncGenerator<JournalPart> {
  const totals = new Map<string, JournalTotal>();
  const add = (connectionId: string, account: string, side: 'debit' | 'credit', cents: number): void => {
    const key = JSON.stringify([connectionId, account]);
    const total = totals.get(key) ?? { day: request.day, connectionId, account, debit: 0, credit: 0 };
    totals.set(key, { ...total, [side]: total[side] + cents });
  };
  for await (const part of partsOf(db, request)) {
    for (const { connectionId, debit, credit, amount } of part.postings) {
      add(connectionId, debit, 'debit', amount);
      add(connectionId, credit, 'credit', amount);
    }
    yield part;
  }
  yield { ...NOTHING, totals: [...totals.values()].toSorted(byAccount) };
}

const byAccount = (one: JournalTotal, other: JournalTotal): number =>
  compare(one.connectionId, other.connectionId) || compare(one.account, other.account);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function* partsOf(db: Kysely<Tables>, request: DayRequest): AsyncGenerator<JournalPart> {
  await sql`declare posting no scroll cursor for ${postingsIn(request)}`.execute(db);
  for (;;) {
    const { rows } = await sql<PostingRow>`fetch ${sql.lit(AT_ONCE)} from posting`.execute(db);
    if (rows.length > 0) yield { ...NOTHING, postings: rows.map((row) => postingOf(request.day, row)) };
    if (rows.length < AT_ONCE) break;
  }
  await sql`close posting`.execute(db);
  yield* chainsOf(db, request);
}

/** The opening balances of accounts, the differences of their chains, and their closing balances. */
async function* chainsOf(db: Kysely<Tables>, request: DayRequest): AsyncGenerator<JournalPart> {
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
    order by account_uid`.execute(db);
  for (const { account_uid: accountUid, connection_id: connectionId, first_at: first } of rows) {
    const statement = await readStatement({ db }, accountUid, request);
    const isFirstDay = first.toISOString() >= request.from;
    const isComplete = statement.readAt !== undefined && statement.readAt >= request.until;
    const of = { day: request.day, connectionId, accountUid };
    yield {
      ...NOTHING,
      postings: differencesOf(of, statement, isFirstDay),
      balances: [{ ...of, closing: statement.closing ?? 0, isComplete }],
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
      ...{ paymentUid: undefined, agreementUid: undefined, refundUid: undefined, caseUid: undefined },
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
  ...{
    debit: row.debit,
    credit: row.credit,
    amount: row.amount,
    paymentUid: row.payment_uid ?? undefined,
    agreementUid: row.agreement_uid ?? undefined,
  },
  ...{ refundUid: row.refund_uid ?? undefined, accountUid: row.account_uid ?? undefined },
  ...{ floatEntryId: row.float_entry_id ?? undefined, caseUid: row.case_uid ?? undefined },
});
