// Indexes for the filters of lists that match few of many rows, for candidates of a credit, and for totals.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The included columns let PostgreSQL filter and sort without reading the rows. */
export const INDEXES = [
  'create index payments_amount on payments (amount, requested_at, uid) include (connection_id)',
  'create index payments_updated on payments (updated_at) include (requested_at, uid, connection_id)',
  'create index payments_totals on payments (state_since) include (state, amount, connection_id)',
  'create index agreements_updated on agreements (updated_at)',
  'create index agreements_running on agreements (client_id, state)',
  'create index counterparties_accounts on counterparties using gin (payment_account_uids)',
] as const;

/** Those that one of the new ones replaces. */
const REPLACED = ['payments_state_since', 'agreements_client_id'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of INDEXES) await sql.raw(index).execute(db);
  for (const index of REPLACED) await sql`drop index ${sql.ref(index)}`.execute(db);
}
