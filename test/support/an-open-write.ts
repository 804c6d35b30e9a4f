import type { Kysely } from 'kysely';
import type { Tables } from '../../records/tables.js';

/** Writes in a transaction that stays open. @returns commits it. */
export async function anOpenWrite(
  db: Kysely<Tables>,
  write: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const transaction = await db.startTransaction().execute();
  await write(transaction);
  return () => transaction.commit().execute();
}
