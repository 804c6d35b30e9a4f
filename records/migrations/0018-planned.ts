// Payments that the plans of agreements will request, and a view of them for finance.
import { sql, type Kysely } from 'kysely';
import type { Index } from './indexes.js';

export const INDEXES: readonly Index[] = [
  { name: 'agreements_planned', definition: sql`agreements (connection_id) where planned is not null` },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agreements add column planned jsonb`.execute(db);
  await sql`
    create view finance_planned_v1 as
    select connection_id, (payment ->> 'day')::date as day, uid as agreement_uid, (payment ->> 'amount')::bigint as amount
    from agreements cross join lateral jsonb_array_elements(planned) payment
    where planned is not null`.execute(db);
}
