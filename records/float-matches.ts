// Finds the payment or refund that an entry of a float account names. Only a uid of the same amount counts: a payer can write any text.
import { sql } from 'kysely';
import { uidsIn } from '../domain/float/credit.js';
import type { Kysely } from 'kysely';
import type { NewFloatEntry } from '../domain/float/entries.js';
import type { Tables } from './tables.js';

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

/** @returns the matches by the id of the entry. Each payment or refund is matched once. Throws the errors of the database. */
export async function chooseMatches(
  db: Kysely<Tables>,
  connectionId: string,
  entries: readonly Pick<NewFloatEntry, 'id' | 'amount' | 'description'>[],
): Promise<Map<string, EntryMatch>> {
  const words = [...new Set(entries.flatMap(({ description }) => uidsIn(description)))];
  const matches = new Map<string, EntryMatch>();
  if (words.length === 0) return matches;
  const cases = await casesOf(
    db,
    entries.map(({ id }) => id),
  );
  const { rows } = await sql<Named>`
    select 'payment' as kind, uid, amount,
      exists (select 1 from float_entries where payment_uid = payments.uid) as is_credited, false as is_debited
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
        (isCredit ? !one.is_credited : one.kind === 'refund' && !one.is_debited),
    );
    if (match === undefined) continue;
    if (isCredit) match.is_credited = true;
    else match.is_debited = true;
    matches.set(id, match.kind === 'payment' ? { paymentUid: match.uid } : { refundUid: match.uid });
  }
  return matches;
}

/** The provider did not match these, whatever their text says. */
async function casesOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('unmatched_credits')
    .select('uid')
    .where('uid', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ uid }) => uid));
}
