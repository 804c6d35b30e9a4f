// Reads the entries of one day of a float account, for its statement.
import { sql } from 'kysely';
import { matchedEntryOf } from './float-entries.js';
import { statementOf } from '../domain/float/statement.js';
import type { Kysely, RawBuilder } from 'kysely';
import type { Statement } from '../domain/float/statement.js';
import type { StoredFloatEntry } from '../domain/float/entries.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Keyring } from '../sealing/keyring.js';
import type { MatchedRow } from './float-entries.js';
import type { Tables } from './tables.js';

/** @throws the errors of the database, and SealError if a key is missing. */
export async function readStatement(
  db: Kysely<Tables>,
  keyring: Keyring,
  accountUid: string,
  { from, until }: { from: Instant; until: Instant },
): Promise<Statement> {
  const read = async (when: RawBuilder<unknown>): Promise<StoredFloatEntry[]> => {
    const { rows } = await sql<MatchedRow>`
      select entry.*, credit.state as case_state
      from float_entries entry left join unmatched_credits credit on credit.uid = entry.id
      where entry.account_uid = ${accountUid} and ${when} order by entry.at, entry.id`.execute(db);
    return rows.map((row) => matchedEntryOf(keyring, row));
  };
  const [before, entries] = await Promise.all([
    read(sql`entry.at = (
      select max(at) from float_entries where account_uid = ${accountUid} and at < ${from})`),
    read(sql`entry.at >= ${from} and entry.at < ${until}`),
  ]);
  return statementOf(before, entries);
}
