// Finds the debit that sends an unmatched credit back, once an operator has decided that it was returned.
import { sql, type Kysely } from 'kysely';
import { choosingMatches } from './float-matches.js';
import type { Tables } from './tables.js';

/**
 * Only a debit of the same account and amount, after the credit, that nothing else explains; and only if it is the only one, for this case alone.
 * @returns how many were found. Throws the errors of the database.
 */
export const matchReturns = (
  db: Kysely<Tables>,
  { uid, connectionId }: { uid: string; connectionId: string },
): Promise<number> =>
  choosingMatches(db, connectionId, async (transaction) => {
    const { numAffectedRows = 0n } = await sql`
      with returned as (
        select credit.uid, entry.amount, entry.at from unmatched_credits credit
        join float_entries entry on entry.account_uid = ${uid} and entry.id = coalesce(credit.entry_id, credit.uid)
        where credit.account_uid = ${uid} and credit.state = 'returned'
          and not exists (select from float_entries where case_uid = credit.uid and amount < 0)),
      pair as (
        select returned.uid, debit.id, count(*) over (partition by returned.uid) as debits,
          count(*) over (partition by debit.id) as cases
        from returned join float_entries debit on debit.account_uid = ${uid} and debit.amount = -returned.amount
          and debit.at >= returned.at and debit.payment_uid is null and debit.refund_uid is null
          and debit.case_uid is null and not debit.is_fee)
      update float_entries entry set case_uid = pair.uid from pair
      where entry.account_uid = ${uid} and entry.id = pair.id and debits = 1 and cases = 1`.execute(
      transaction,
    );
    return Number(numAffectedRows);
  });
