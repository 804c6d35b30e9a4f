// Finds the payment or refund that an entry of a float account names. Only a uid of the same amount counts: a payer can write any text.
import { sql, type Kysely } from 'kysely';
import { uidsIn } from '../domain/float/credit.js';
import { openRow, type SealedRow } from './sealed.js';
import type { NewFloatEntry } from '../domain/float/entries.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Opened } from './database.js';
import type { FloatEntryTable, Tables } from './tables.js';

interface Account {
  uid: string;
  connectionId: string;
}

export interface EntryMatch {
  paymentUid?: string | undefined;
  refundUid?: string | undefined;
}

interface Named {
  kind: 'payment' | 'refund';
  uid: string;
  amount: number;
  /** Whether another entry with a credit, or with a debit, has it already. */
  is_credited: boolean;
  is_debited: boolean;
}

/**
 * Runs the work in a transaction. Only one at a time chooses matches for a connection: two entries that name the same payment are then both stored,
 * and the second one without a match.
 */
export const choosingMatches = <Result>(
  db: Kysely<Tables>,
  connectionId: string,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('float_entries'), hashtext(${connectionId}))`.execute(
      transaction,
    );
    return work(transaction);
  });

/**
 * Call it in `choosingMatches`. @returns the matches by the id of the entry. Each payment or refund is matched by one credit and one debit: the debit
 * of a payment takes its money back. Throws the errors of the database.
 */
export async function chooseMatches(
  db: Kysely<Tables>,
  { uid, connectionId }: Account,
  entries: readonly Pick<NewFloatEntry, 'id' | 'amount' | 'description'>[],
): Promise<Map<string, EntryMatch>> {
  const words = [...new Set(entries.flatMap(({ description }) => uidsIn(description)))];
  const matches = new Map<string, EntryMatch>();
  if (words.length === 0) return matches;
  const cases = await casesOf(
    db,
    uid,
    entries.map(({ id }) => id),
  );
  const { rows } = await sql<Named>`
    select 'payment' as kind, uid, amount,
      exists (select 1 from float_entries where payment_uid = payments.uid and amount > 0) as is_credited,
      exists (select 1 from float_entries where payment_uid = payments.uid and amount <= 0) as is_debited
    from payments where uid = any(${words}::text[]) and connection_id = ${connectionId} and amount is not null
    union all
    select 'refund', uid, amount,
      exists (select 1 from float_entries where refund_uid = refunds.uid and amount > 0),
      exists (select 1 from float_entries where refund_uid = refunds.uid and amount <= 0)
    from refunds where uid = any(${words}::text[]) and connection_id = ${connectionId} and amount is not null
  `.execute(db);
  for (const { id, amount, description } of entries) {
    if (cases.has(id)) continue;
    const isCredit = amount > 0;
    const named = new Set(uidsIn(description));
    const match = rows.find(
      (one) =>
        named.has(one.uid) &&
        one.amount === Math.abs(amount) &&
        !(isCredit ? one.is_credited : one.is_debited),
    );
    if (match === undefined) continue;
    if (isCredit) match.is_credited = true;
    else match.is_debited = true;
    matches.set(id, match.kind === 'payment' ? { paymentUid: match.uid } : { refundUid: match.uid });
  }
  return matches;
}

/** The provider did not match these, whatever their text says. */
async function casesOf(db: Kysely<Tables>, accountUid: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('unmatched_credits')
    .select('uid')
    .where(sql<boolean>`account_uid = ${accountUid}`)
    .where('uid', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Binds a sealed text to its entry. */
export const sealedFloatEntryId = (accountUid: string, id: string): string => `${accountUid}/${id}`;

export function textOf(
  keyring: Keyring,
  row: Pick<FloatEntryTable, 'account_uid' | 'id'> & SealedRow,
): string | undefined {
  const text = openRow(keyring, 'float_entries', sealedFloatEntryId(row.account_uid, row.id), row);
  return (text as { description?: string }).description;
}

/** Entries that are matched again in one transaction. */
const AT_ONCE = 500;

/**
 * Matches entries that were stored before their payment or refund was, of any age. Entries with a case are left alone.
 * @returns how many. Throws the errors of the database, and SealError if a key is missing.
 */
export async function matchAgain({ db, keyring }: Opened, account: Account): Promise<number> {
  const amounts = await amountsToMatch(db, account);
  if (amounts.length === 0) return 0;
  let count = 0;
  for (let after: Page['after'] = { at: new Date(0), id: '' }; ;) {
    const rows = await nextToMatch(db, account, { amounts, after });
    const entries = rows.map((row) => ({ ...row, description: textOf(keyring, row) }));
    count += await matchPage(db, account, entries);
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return count;
    after = last;
  }
}

/** An entry of this amount may be that of a payment or refund that has none yet, if it is at most a day older than the first one. */
interface AmountToMatch {
  /** With the sign of the entry. */
  amount: number;
  since: Date;
}

const UNMATCHED = sql`entry.payment_uid is null and entry.refund_uid is null`;

/** So only few sealed texts are opened. */
async function amountsToMatch(db: Kysely<Tables>, { uid, connectionId }: Account): Promise<AmountToMatch[]> {
  const { rows } = await sql<AmountToMatch>`
    with wanted as materialized (
      select distinct amount from float_entries entry where account_uid = ${uid} and ${UNMATCHED})
    select wanted.amount, min(requested_at) as since from wanted join payments on payments.amount = abs(wanted.amount)
    where connection_id = ${connectionId} and requested_at is not null
      and not exists (
        select 1 from float_entries where payment_uid = payments.uid and (amount > 0) = (wanted.amount > 0))
    group by wanted.amount
    union all
    select wanted.amount, min(requested_at) from wanted join refunds on refunds.amount = abs(wanted.amount)
    where connection_id = ${connectionId} and requested_at is not null
      and not exists (
        select 1 from float_entries where refund_uid = refunds.uid and (amount > 0) = (wanted.amount > 0))
    group by wanted.amount`.execute(db);
  return rows;
}

interface Page {
  amounts: readonly AmountToMatch[];
  after: { at: Date; id: string };
}

type ToMatch = Pick<
  FloatEntryTable,
  'account_uid' | 'id' | 'connection_id' | 'at' | 'amount' | 'key_id' | 'sealed'
>;

async function nextToMatch(
  db: Kysely<Tables>,
  { uid }: Account,
  { amounts, after }: Page,
): Promise<ToMatch[]> {
  const { rows } = await sql<ToMatch>`
    select account_uid, id, connection_id, at, amount, key_id, sealed from float_entries entry
    where ${UNMATCHED} and account_uid = ${uid} and (at, id) > (${after.at}::timestamptz, ${after.id})
      and exists (
        select 1 from unnest(
          ${amounts.map(({ amount }) => amount)}::bigint[],
          ${amounts.map(({ since }) => since)}::timestamptz[]) as wanted (amount, since)
        where wanted.amount = entry.amount and wanted.since <= entry.at + interval '1 day')
      and case_uid is null
      and not exists (select 1 from unmatched_credits where uid = entry.id and account_uid = entry.account_uid)
    order by at, id limit ${AT_ONCE}`.execute(db);
  return rows;
}

/** @returns how many of them are matched now. */
const matchPage = async (
  db: Kysely<Tables>,
  account: Account,
  entries: readonly (ToMatch & Pick<NewFloatEntry, 'description'>)[],
): Promise<number> => {
  if (entries.length === 0) return 0;
  return choosingMatches(db, account.connectionId, async (transaction) => {
    const matches = await chooseMatches(transaction, account, entries);
    for (const [id, { paymentUid, refundUid }] of matches)
      await sql`
        update float_entries entry set payment_uid = ${paymentUid ?? null}, refund_uid = ${refundUid ?? null}
        where account_uid = ${account.uid} and id = ${id} and case_uid is null and ${UNMATCHED}`.execute(
        transaction,
      );
    return matches.size;
  });
};
