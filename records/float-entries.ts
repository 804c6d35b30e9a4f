// Stores and reads the entries of float accounts. The provider's text is sealed: it may name a person.
import { sql } from 'kysely';
import { openRow, sealRow } from './sealed.js';
import type { Kysely } from 'kysely';
import type { FloatEntry } from '../domain/float/chain.js';
import type { FloatEntries } from '../domain/float/entries.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Keyring } from '../sealing/keyring.js';
import type { FloatEntryTable, Tables } from './tables.js';

const TABLE = 'float_entries';

/** Binds a sealed text to its entry. */
const idOf = (accountUid: string, id: string): string => `${accountUid}/${id}`;

export const createFloatEntries = ({
  db,
  keyring,
}: {
  db: Kysely<Tables>;
  keyring: Keyring;
}): FloatEntries => ({
  storeEntries: async ({ uid, connectionId }, entries) => {
    if (entries.length === 0) return 0;
    const rows = entries.map(({ id, at, amount, balanceAfter, description }) => ({
      ...{ account_uid: uid, id, connection_id: connectionId, at: new Date(at), amount },
      ...{ balance_after: balanceAfter, ...sealRow(keyring, TABLE, idOf(uid, id), { description }) },
    }));
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto(TABLE)
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(numInsertedOrUpdatedRows);
  },
  entriesFrom: async (accountUid, { at, afterId }, limit) => {
    const rows = await db
      .selectFrom(TABLE)
      .select(['id', 'at', 'amount', 'balance_after'])
      .where('account_uid', '=', accountUid)
      .where(sql<boolean>`(at, id) > (${at}::timestamptz, ${afterId})`)
      .orderBy('at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(entryOf);
  },
});

const entryOf = ({
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
}

export interface FloatEntriesRequest {
  accountUid: string;
  filter: FloatEntryFilter;
  /** The last entry of the page before. */
  before: { at: Instant; id: string } | undefined;
  limit: number;
}

export interface StoredFloatEntry extends FloatEntry {
  description: string | undefined;
}

/** Newest first. @throws the errors of the database, and SealError if a key is missing. */
export async function listFloatEntries(
  db: Kysely<Tables>,
  keyring: Keyring,
  { accountUid, filter, before, limit }: FloatEntriesRequest,
): Promise<StoredFloatEntry[]> {
  const { from, until, amountFrom, amountUntil, type } = filter;
  let query = db.selectFrom(TABLE).selectAll().where('account_uid', '=', accountUid);
  if (from !== undefined) query = query.where('at', '>=', new Date(from));
  if (until !== undefined) query = query.where('at', '<', new Date(until));
  if (type !== undefined) query = query.where('amount', type === 'credit' ? '>' : '<', 0);
  if (amountFrom !== undefined) query = query.where(sql<boolean>`abs(amount) >= ${amountFrom}`);
  if (amountUntil !== undefined) query = query.where(sql<boolean>`abs(amount) <= ${amountUntil}`);
  if (before !== undefined)
    query = query.where(sql<boolean>`(at, id) < (${before.at}::timestamptz, ${before.id})`);
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => {
    const text = openRow(keyring, TABLE, idOf(accountUid, row.id), row) as { description?: string };
    return { ...entryOf(row), description: text.description };
  });
}
