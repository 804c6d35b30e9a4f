// Stores and reads the entries of float accounts. The provider's text is sealed: it may name a person.
import { sql } from 'kysely';
import { isFee } from '../domain/float/fee.js';
import { createStatement, type Statement } from '../domain/float/statement.js';
import { all, given, within, type Condition } from './conditions.js';
import { chooseMatches, choosingMatches, matchAgain, sealedFloatEntryId, textOf } from './float-matches.js';
import { matchReturns } from './float-returns.js';
import { sealRow, type SealedRow } from './sealed.js';
import { UID } from '../domain/provider/uid.js';
import type { FloatEntry } from '../domain/float/chain.js';
import type {
  FloatEntries,
  MatchedFloatEntry,
  NewFloatEntry,
  StoredFloatEntry,
  StoredInto,
} from '../domain/float/entries.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Opened } from './database.js';
import type { FloatEntryTable } from './tables.js';

const TABLE = 'float_entries';
/** Cases that are started at once. */
const AT_ONCE = 500;

export const createFloatEntries = (opened: Opened): FloatEntries => ({
  storeEntries: (account, entries) => store(opened, account, entries),
  entriesFrom: async (accountUid, { at, afterId }, limit) => {
    const rows = await opened.db
      .selectFrom(TABLE)
      .select(['id', 'at', 'amount', 'balance_after'])
      .where('account_uid', '=', accountUid)
      .where(sql<boolean>`(at, id) > (${at}::timestamptz, ${afterId})`)
      .orderBy('at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(floatEntryOf);
  },
  countEntries: async (accountUid) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from float_entries where account_uid = ${accountUid}`.execute(opened.db);
    return rows[0]?.count ?? 0;
  },
  lastInstantBefore: (accountUid, at) => lastInstantBefore(opened.db, accountUid, at),
  matchEntries: async (account) =>
    (await matchAgain(opened, account)) + (await matchReturns(opened.db, account)),
  markRead: (accountUid, reading) => markRead(opened, accountUid, reading),
  farReadAt: async (accountUid) => (await readingOf(opened.db, accountUid))?.far_read_at?.toISOString(),
  creditsWithoutCase: async (accountUid, { from, until }) => {
    const { rows } = await sql<{ id: string }>`
      select id from float_entries entry
      where ${UNMATCHED} and account_uid = ${accountUid} and amount > 0
        and id ~ ${UID.source} and id not in ('.', '..')
        and stored_at >= ${from} and stored_at < ${until}
        and case_uid is null
        and not exists (select 1 from unmatched_credits where uid = entry.id and account_uid = entry.account_uid)
      order by stored_at limit ${AT_ONCE}`.execute(opened.db);
    return rows.map(({ id }) => id);
  },
  floatEntry: async (accountUid, id) => {
    const row = await opened.db
      .selectFrom(TABLE)
      .select(['id', 'at', 'amount', 'balance_after', 'connection_id'])
      .where('account_uid', '=', accountUid)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { ...floatEntryOf(row), connectionId: row.connection_id };
  },
});

/** Exactly as the partial index has it (migrations/0001-baseline/float.ts). */
const UNMATCHED = sql`is_new and payment_uid is null and refund_uid is null`;

/** Stored entries stay as they are: their matches are chosen again by `matchAgain`. */
const store = async (
  { db, keyring }: Opened,
  { uid, connectionId, isNew }: StoredInto,
  entries: readonly NewFloatEntry[],
): Promise<number> => {
  if (entries.length === 0) return 0;
  return choosingMatches(db, connectionId, async (transaction) => {
    const stored = await storedOf(transaction, uid, entries);
    const missing = entries.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return 0;
    const matches = await chooseMatches(transaction, { uid, connectionId }, missing);
    const rows = missing.map(({ id, at, amount, balanceAfter, description }) => ({
      ...{ account_uid: uid, id, connection_id: connectionId, at: new Date(at), amount },
      ...{ balance_after: balanceAfter, is_new: isNew },
      ...{ payment_uid: matches.get(id)?.paymentUid ?? null, refund_uid: matches.get(id)?.refundUid ?? null },
      is_fee: isFee({ amount, description }),
      ...sealRow(keyring, TABLE, { uid: sealedFloatEntryId(uid, id), connectionId }, { description }),
    }));
    const { numInsertedOrUpdatedRows: count = 0n } = await transaction
      .insertInto(TABLE)
      .values(rows)
      .onConflict((conflict) => conflict.columns(['account_uid', 'id']).doNothing())
      .executeTakeFirstOrThrow();
    return Number(count);
  });
};

async function lastInstantBefore(
  db: Opened['db'],
  accountUid: string,
  at: Instant,
): Promise<Instant | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from float_entries where account_uid = ${accountUid} and at < ${at}`.execute(db);
  return rows[0]?.at?.toISOString();
}

async function storedOf(
  db: Opened['db'],
  accountUid: string,
  entries: readonly NewFloatEntry[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom(TABLE)
    .select('id')
    .where('account_uid', '=', accountUid)
    .where(
      'id',
      'in',
      entries.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function markRead(
  { db }: Opened,
  accountUid: string,
  { at, isFar }: { at: Instant; isFar: boolean },
): Promise<void> {
  await sql`
    insert into float_readings as reading (account_uid, read_at, far_read_at)
    values (${accountUid}, ${at}, ${isFar ? at : null}::timestamptz)
    on conflict (account_uid) do update set read_at = greatest(reading.read_at, excluded.read_at),
      far_read_at = greatest(reading.far_read_at, excluded.far_read_at)
  `.execute(db);
}

const floatEntryOf = ({
  id,
  at,
  amount,
  balance_after,
}: Pick<FloatEntryTable, 'id' | 'at' | 'amount' | 'balance_after'>): FloatEntry => ({
  ...{ id, at: at.toISOString(), amount, balanceAfter: balance_after },
});

/** What a caller may filter entries by. */
export interface FloatEntryFilter {
  from?: Instant | undefined;
  until?: Instant | undefined;
  /** Cents, without the sign. */
  amountFrom?: number | undefined;
  amountUntil?: number | undefined;
  type?: 'credit' | 'debit' | undefined;
  isMatched?: boolean | undefined;
  ids?: readonly string[] | undefined;
}

export interface FloatEntriesRequest {
  accountUid: string;
  filter: FloatEntryFilter;
  /** The last entry of the page before. */
  before: { at: Instant; id: string } | undefined;
  limit: number;
}

const MATCHED = sql`(entry.payment_uid is not null or entry.refund_uid is not null or coalesce(credit.state = 'matched', false))`;

/** Newest first. @throws the errors of the database, and SealError if a key is missing. */
export async function listFloatEntries(
  { db, keyring }: Opened,
  { accountUid, filter, before, limit }: FloatEntriesRequest,
): Promise<StoredFloatEntry[]> {
  const { from, until, amountFrom, amountUntil, type, isMatched, ids } = filter;
  const conditions = [
    ...within(sql`entry.at`, { from, until }),
    ...given(type, (one) => (one === 'credit' ? sql`entry.amount > 0` : sql`entry.amount < 0`)),
    ...given(amountFrom, (cents) => sql`abs(entry.amount) >= ${cents}`),
    ...given(amountUntil, (cents) => sql`abs(entry.amount) <= ${cents}`),
    ...given(isMatched, (is) => (is ? MATCHED : sql`not ${MATCHED}`)),
    ...given(ids, (some) => sql`entry.id = any(${some}::text[])`),
    ...given(before, ({ at, id }) => sql`(entry.at, entry.id) < (${at}::timestamptz, ${id})`),
  ];
  const rows = await entriesOf<SealedRow>(
    db,
    accountUid,
    sql`${all(...conditions)} order by entry.at desc, entry.id desc limit ${limit}`,
    sql`, entry.connection_id, entry.key_id, entry.sealed`,
  );
  return rows.map((row) => ({ ...matchedOf(row), description: textOf(keyring, row) }));
}

/** So many entries of a statement are read at once. */
const STATEMENT_PAGE = 2000;

/** The statement of a day, and when the account was last read before that. */
export interface StoredStatement extends Statement {
  /** When the newest reading that succeeded began: all entries that the provider listed then are stored. */
  readAt: Instant | undefined;
}

/** The statement of one day of an account. It opens no sealed text. @throws the errors of the database. */
export async function readStatement(
  { db }: Pick<Opened, 'db'>,
  accountUid: string,
  { from, until }: { from: Instant; until: Instant },
): Promise<StoredStatement> {
  // First, so that the entries are not older than it.
  const readAt = (await readingOf(db, accountUid))?.read_at.toISOString();
  const ordered = sql`order by entry.at, entry.id`;
  const statement = createStatement(await entriesBefore(db, accountUid, from));
  let after = { at: from, id: '' };
  for (;;) {
    const rows = await entriesOf(
      db,
      accountUid,
      sql`(entry.at, entry.id) > (${after.at}::timestamptz, ${after.id}) and entry.at < ${until}
        ${ordered} limit ${STATEMENT_PAGE}`,
    );
    const entries = rows.map(matchedOf);
    statement.add(entries);
    after = entries.at(-1) ?? after;
    if (rows.length < STATEMENT_PAGE) return { ...statement.end(), readAt };
  }
}

/** Those that decide where the day starts: the last instant, and earlier ones while the later ones cancel each other. */
async function entriesBefore(
  db: Opened['db'],
  accountUid: string,
  until: Instant,
): Promise<MatchedFloatEntry[]> {
  const rows = await entriesOf(
    db,
    accountUid,
    sql`entry.at = (select max(at) from float_entries where account_uid = ${accountUid} and at < ${until})
      order by entry.id`,
  );
  const entries = rows.map(matchedOf);
  const [first] = entries;
  const isCircle = first !== undefined && entries.reduce((sum, { amount }) => sum + amount, 0) === 0;
  return isCircle ? [...(await entriesBefore(db, accountUid, first.at)), ...entries] : entries;
}

const readingOf = (db: Opened['db'], accountUid: string) =>
  db
    .selectFrom('float_readings')
    .select(['read_at', 'far_read_at'])
    .where('account_uid', '=', accountUid)
    .executeTakeFirst();

type JoinedEntry = Pick<
  FloatEntryTable,
  'id' | 'account_uid' | 'at' | 'amount' | 'balance_after' | 'payment_uid' | 'refund_uid'
> & { case_uid: string | null; case_state: string | null };

/** Entries of an account with the states of their cases. @param which the conditions and the order. @param more columns. */
async function entriesOf<More = object>(
  db: Opened['db'],
  accountUid: string,
  which: Condition,
  more: Condition = sql``,
): Promise<(JoinedEntry & More)[]> {
  const { rows } = await sql<JoinedEntry & More>`
    select entry.id, entry.account_uid, entry.at, entry.amount, entry.balance_after, entry.payment_uid, entry.refund_uid,
      credit.uid as case_uid, credit.state as case_state ${more}
    from float_entries entry left join unmatched_credits credit on credit.uid = coalesce(entry.case_uid, entry.id)
      and credit.account_uid = entry.account_uid
    where entry.account_uid = ${accountUid} and ${which}`.execute(db);
  return rows;
}

const matchedOf = (row: JoinedEntry): MatchedFloatEntry => ({
  ...floatEntryOf(row),
  ...{ paymentUid: row.payment_uid ?? undefined, refundUid: row.refund_uid ?? undefined },
  ...{ caseUid: row.case_uid ?? undefined, caseState: row.case_state ?? undefined },
});
