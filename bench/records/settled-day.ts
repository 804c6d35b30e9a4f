// A day of settled payments, its settlement report, and the entries of a float account.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { createFloatEntries } from '../../records/float-entries.js';
import { createSettlementReports } from '../../records/settlement.js';
import { createRecords } from '../../records/write.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { CONNECTION } from './fill.js';
import type { Kysely } from 'kysely';
import type { Keyring } from '../../sealing/keyring.js';
import type { Tables } from '../../records/tables.js';

/** In Sydney. */
export const SETTLED_DAY = {
  day: '2026-11-02',
  from: '2026-11-01T13:00:00.000Z',
  until: '2026-11-02T13:00:00.000Z',
} as const;
const AT = '2026-11-02T01:00:00.000Z';
const AMOUNT = 500;
const ENTRIES_AT_ONCE = 1000;

const uidOf = (index: number): string => `pay-${String(index).padStart(6, '0')}`;

/** The first payment is stored as usual. All others copy its row. */
export async function fillSettledDay(
  opened: { db: Kysely<Tables>; keyring: Keyring },
  count: number,
): Promise<void> {
  const view = {
    state: 'settled',
    stateSince: AT,
    requestedAt: AT,
    order: { agreement_uid: 'agr-000000', amount: AMOUNT },
  };
  await createRecords(opened).write({
    ...{ resource: 'payment', uid: uidOf(0), connectionId: CONNECTION },
    workflowId: paymentWorkflowId(uidOf(0)),
    ...{ runId: 'bench', identity: 'bench', follows: 0, taskFollows: 0, entries: [] },
    row: { version: 1, at: AT, view },
  });
  const uids = Array.from({ length: count - 1 }, (_, index) => uidOf(index + 1));
  await sql`
    insert into payments (uid, workflow_id, connection_id, version, state, state_since, attention, requested_at, updated_at,
      changed_era, agreement_uid, amount, settled_at, key_id, sealed)
    select copied.uid, 'payment/' || copied.uid, connection_id, version, state, state_since, attention, requested_at,
      updated_at, changed_era, agreement_uid, amount, settled_at, key_id, sealed
    from payments, unnest(${uids}::text[]) as copied (uid) where payments.uid = ${uidOf(0)}`.execute(
    opened.db,
  );
  const all = [uidOf(0), ...uids];
  const csv = ['uid,type,amount,settled_at', ...all.map((uid) => `${uid},payment,${AMOUNT},${AT}`), ''].join(
    '\n',
  );
  const rows = all.map((uid, index) => ({
    ...{ number: index + 1, uid, kind: 'payment' as const, amount: AMOUNT, settledAt: AT },
  }));
  await createSettlementReports(opened).storeReport({
    ...{ connectionId: CONNECTION, day: SETTLED_DAY.day, at: AT, read: { state: 'stored', rows } },
    content: { csv },
    checksum: createHash('sha256').update(csv).digest('hex'),
  });
  const { storeEntries } = createFloatEntries(opened);
  const entries = all.map((uid, index) => ({
    ...{ id: `entry-${uid}`, at: AT, amount: AMOUNT, balanceAfter: (index + 1) * AMOUNT },
    description: `PayTo payment ${uid}`,
  }));
  const account = { uid: 'float-bench', connectionId: CONNECTION, isNew: true };
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE)
    await storeEntries(account, entries.slice(from, from + ENTRIES_AT_ONCE));
  await sql`vacuum analyze payments, settlement_lines, float_entries`.execute(opened.db);
}
