// Indexes for the filters of lists that match few of many rows, for candidates of a credit, and for totals.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

/** The included columns let PostgreSQL filter and sort without reading the rows. */
export const INDEXES: readonly Index[] = [
  { name: 'payments_amount', definition: sql`payments (amount, requested_at, uid) include (connection_id)` },
  {
    name: 'payments_updated',
    definition: sql`payments (updated_at) include (requested_at, uid, connection_id)`,
  },
  { name: 'payments_totals', definition: sql`payments (state_since) include (state, amount, connection_id)` },
  { name: 'agreements_updated', definition: sql`agreements (updated_at)` },
  { name: 'agreements_running', definition: sql`agreements (client_id, state)` },
  { name: 'counterparties_accounts', definition: sql`counterparties using gin (payment_account_uids)` },
];

/** Those that one of the new ones replaces. */
const REPLACED = ['payments_state_since', 'agreements_client_id'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of REPLACED) await sql`drop index ${sql.ref(index)}`.execute(db);
}
