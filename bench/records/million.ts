// Fills the records with a million payments by SQL, as they would be after two years. The rows cannot be opened: sealing a million takes too long.
import { sql, type Kysely } from 'kysely';
import { tagsToFind, type SearchTerm } from '../../records/tags.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Tables } from '../../records/tables.js';

export const PAYMENTS = 1_000_000;
const AGREEMENTS = 200_000;
const REFUNDS = 20_000;
const COUNTERPARTIES = 100_000;
const CLIENTS = 20_000;
/** All on one day of one account. */
const FLOAT_ENTRIES = 50_000;

/** The tables that it fills. They must be empty. */
export const FILLED = [
  'agreements',
  'payments',
  'refunds',
  'counterparties',
  'clients',
  'float_entries',
] as const;

/** Half of all rows, one in forty of them, and none. */
export const CONNECTIONS = { large: 'con-0', small: 'con-7', unknown: 'con-99' } as const;

/** A value of metadata on half of all payments, on one in fifty, on the oldest 200,000, and on one. Nobody has the reference. */
export const TERMS = {
  half: { metadata: 'plan', value: 'half' },
  fiftieth: { metadata: 'plan', value: 'fiftieth' },
  oldest: { metadata: 'plan', value: 'oldest' },
  single: { metadata: 'order', value: '500000' },
  none: { reference: 'INV 77' },
} as const satisfies Readonly<Record<string, SearchTerm>>;

/** The first payment. The last one is 700 days later. */
const FIRST = sql`timestamptz '2025-01-01 00:00:00+00'`;

/** Filler of about the size of a sealed view, different in each row. */
const filler = (bytes: number) => sql`decode(repeat(md5(i::text), ${sql.lit(bytes / 16)}), 'hex')`;
const connectionOf = (row: string) =>
  sql.raw(`case when ${row} % 2 = 0 then 'con-0' else 'con-' || (${row} % 40 / 2 + 1) end`);

export async function fillMillion(
  { db, keyring }: { db: Kysely<Tables>; keyring: Keyring },
  print: (line: string) => void,
): Promise<void> {
  for (const [what, statement] of Object.entries(statementsOf(keyring))) {
    const startedAt = performance.now();
    await statement.execute(db);
    print(`  … ${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
}

const statementsOf = (keyring: Keyring) => ({
  agreements: agreements(keyring),
  payments: payments(keyring),
  refunds: sql`
    insert into refunds (changed_era, uid, workflow_id, connection_id, version, state, state_since, awaiting, attention, requested_at,
      updated_at, payment_uid, amount, submissions, processed_at, key_id, sealed)
    select 1, 'ref-' || i, 'refund/ref-' || i, ${connectionOf('i')}, 1, 'processed', at, 'nothing', '{}', at, at,
      'pay-' || lpad((i * 20)::text, 7, '0'), 50 + i, 1, at, 'k1', ${filler(800)}
    from (select i, ${FIRST} + i * interval '700 days' / ${REFUNDS}::int as at
      from generate_series(0, ${REFUNDS}::int - 1) i) as each`,
  counterparties: sql`
    insert into counterparties (changed_era, uid, workflow_id, version, state, attention, requested_at, updated_at, counterparty_id,
      payment_account_uids, adopted, key_id, sealed)
    select 1, 'cp-' || i, 'counterparty/cp-' || i, 1, 'registered', '{}', ${FIRST} + i * interval '1 minute', ${FIRST},
      'provider-' || i, array['account-' || i], false, 'k1', ${filler(800)}
    from generate_series(0, ${COUNTERPARTIES}::int - 1) i`,
  clients: sql`
    insert into clients (changed_era, uid, workflow_id, version, state, attention, requested_at, updated_at, client_id,
      parent_client_id, adopted, key_id, sealed)
    select 1, 'cl-' || i, 'client/cl-' || i, 1, 'active', '{}', ${FIRST} + i * interval '1 minute', ${FIRST},
      'client-' || i, case when i > 0 then 'client-' || (i - 1) / 50 end, false, 'k1', ${filler(800)}
    from generate_series(0, ${CLIENTS}::int - 1) i`,
  'float entries': sql`
    insert into float_entries (account_uid, id, connection_id, at, amount, balance_after, is_new, key_id, sealed)
    select 'account-0', 'entry-' || i, 'con-0', ${FIRST} + i * interval '1 second', 100, i * 100, true, 'k1', ${filler(96)}
    from generate_series(1, ${FLOAT_ENTRIES}::int) i`,
  vacuum: sql`vacuum analyze`,
});

/** A tenth wait for the payer. Half belong to the first client, the others to 500. */
const agreements = (keyring: Keyring) => sql`
  insert into agreements (changed_era, uid, workflow_id, connection_id, version, state, state_since, awaiting, awaiting_since,
    attention, requested_at, updated_at, client_id, terms_type, frequency, maximum_amount, adopted, key_id, sealed,
    search_tags)
  select 1, 'agr-' || lpad(i::text, 6, '0'), 'agreement/agr-' || lpad(i::text, 6, '0'), ${connectionOf('i')}, 1,
    case when i % 10 = 0 then 'created' when i % 7 = 0 then 'cancelled' else 'active' end, at,
    case when i % 10 = 0 then 'payer-decision' else 'nothing' end, at,
    case when i % 1000 = 0 then array['overdue'] else '{}' end, at, at + interval '1 day',
    case when i % 4 < 2 then 'client-0' else 'client-' || i % 500 end, 'variable', 'monthly', 25000, false, 'k1',
    ${filler(1600)},
    array['k1.' || substr(md5('payer' || i), 1, 16)]
      || case when i % 4 = 1 then ${tagsToFind(keyring, 'agreement', TERMS.half)}::text[] else '{}' end
  from (select i, ${FIRST} + i * interval '5 minutes' as at from generate_series(0, ${AGREEMENTS}::int - 1) i) as each`;

/** Most have settled; 5,000 are pending. A quarter of the amounts are the same. */
const payments = (keyring: Keyring) => sql`
  insert into payments (changed_era, uid, workflow_id, connection_id, version, state, state_since, code, awaiting, awaiting_since,
    attention, requested_at, last_fact_at, updated_at, agreement_uid, amount, refunded_amount, submissions,
    submit_before, settled_at, key_id, sealed, search_tags)
  select 1, 'pay-' || lpad(i::text, 7, '0'), 'payment/pay-' || lpad(i::text, 7, '0'), ${connectionOf('agreement')}, 1, state,
    at + interval '1 hour', case when state = 'failed' then 'AM04' end,
    case when state in ('pending', 'parked') then 'operator' else 'nothing' end, at,
    case when state = 'parked' then array['parked'] else '{}' end, at, at + interval '1 hour',
    at + interval '1 hour' + i % 7 * interval '1 minute', 'agr-' || lpad(agreement::text, 6, '0'),
    case when i % 4 = 1 then 4242 else 100 + i::bigint * 7919 % 100000 end, 0, 1, at + interval '1 day',
    case when state = 'settled' then at + interval '1 hour' end, 'k1', ${filler(1200)},
    array['k1.' || substr(md5('reference' || i), 1, 16)]
      || case when i % 3 = 0 or i % 6 = 1 then ${tagsToFind(keyring, 'payment', TERMS.half)}::text[] else '{}' end
      || case when i % 50 = 8 then ${tagsToFind(keyring, 'payment', TERMS.fiftieth)}::text[] else '{}' end
      || case when i < 200000 then ${tagsToFind(keyring, 'payment', TERMS.oldest)}::text[] else '{}' end
      || case when i = 500000 then ${tagsToFind(keyring, 'payment', TERMS.single)}::text[] else '{}' end
  from (select i, (i::bigint * 31 % ${AGREEMENTS}::int)::int as agreement,
      ${FIRST} + i * (interval '700 days' / ${PAYMENTS}::int) as at,
      case when i % 10000 = 17 then 'parked' when i % 25 = 3 then 'failed'
        when i >= ${PAYMENTS}::int - 5000 then 'pending' else 'settled' end as state
    from generate_series(0, ${PAYMENTS}::int - 1) i) as each`;
