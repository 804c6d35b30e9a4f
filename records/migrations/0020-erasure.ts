// The counterparty accounts that an agreement names, so that an erasure finds the counterparty, and an unused one expires.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'agreements_accounts', definition: sql`agreements using gin (payment_account_uids)` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agreements add column payment_account_uids text[]`.execute(db);
}
