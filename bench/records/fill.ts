// Fills the records with agreements as their workflows would store them, all different and each sealed on its own.
import { sql, type Kysely } from 'kysely';
import { sealRow } from '../../records/sealed.js';
import { createRecords } from '../../records/write.js';
import { agreementWorkflowId, type RecordedAgreementView } from '../../workflows/agreement/contract.js';
import { newAgreement } from '../../workflows/agreement/state.js';
import { recordedView } from '../../workflows/agreement/view.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Tables } from '../../records/tables.js';

export const CONNECTION = 'bench';
const NEWEST_MS = Date.parse('2026-11-01T00:00:00.000Z');
const MINUTE_MS = 60_000;
const AT_ONCE = 10_000;

export const uidOf = (index: number): string => `agr-${String(index).padStart(6, '0')}`;

/** A tenth of the agreements wait for the payer. The others are active. */
export const isWaiting = (index: number): boolean => index % 10 === 0;

const requestedAt = (index: number): string => new Date(NEWEST_MS - index * MINUTE_MS).toISOString();

const MANDATE: Mandate = {
  purpose: 'utility',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: { party_name: 'A Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
};

function viewOf(index: number): RecordedAgreementView {
  const uid = uidOf(index);
  const mandate = { ...MANDATE, description: `Plan of ${uid}` };
  const state = newAgreement({ uid, connectionId: CONNECTION, mandate }, requestedAt(index));
  return { ...recordedView(state), state: isWaiting(index) ? 'created' : 'active' };
}

/** The first row is stored as usual. All others copy its clear columns by INSERT … SELECT. */
export async function fillAgreements(
  { db, keyring }: { db: Kysely<Tables>; keyring: Keyring },
  count: number,
  print: (line: string) => void,
): Promise<void> {
  const view = viewOf(0);
  await createRecords({ db, keyring }).write({
    ...{ resource: 'agreement', uid: uidOf(0), workflowId: agreementWorkflowId(uidOf(0)) },
    ...{
      runId: 'bench',
      identity: 'bench',
      connectionId: CONNECTION,
      follows: 0,
      taskFollows: 0,
      entries: [],
      row: { version: 1, at: requestedAt(0), view },
    },
  });
  for (let from = 1; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, offset) => {
      const uid = uidOf(from + offset);
      const { key_id, sealed } = sealRow(
        keyring,
        'agreements',
        { uid, connectionId: CONNECTION },
        viewOf(from + offset),
      );
      return { uid, key_id, sealed, state: isWaiting(from + offset) ? 'created' : 'active' };
    });
    await copyRows(db, from, rows);
    print(`  … ${from + rows.length} of ${count} agreements stored`);
  }
  await sql`vacuum analyze agreements`.execute(db);
}

interface CopiedRow {
  uid: string;
  key_id: string;
  sealed: Buffer;
  state: string;
}

async function copyRows(db: Kysely<Tables>, from: number, rows: readonly CopiedRow[]): Promise<void> {
  const [uids, keyIds, states] = (['uid', 'key_id', 'state'] as const).map((name) =>
    rows.map((row) => row[name]),
  );
  const sealed = rows.map((row) => row.sealed);
  await sql`
    insert into agreements (changed_era, uid, workflow_id, connection_id, version, state, state_since, awaiting, awaiting_since,
      attention, requested_at, updated_at, terms_type, frequency, adopted, key_id, sealed)
    select changed_era, copied.uid, 'agreement/' || copied.uid, connection_id, version, copied.state, state_since, awaiting,
      awaiting_since, attention, requested_at - (copied.n + ${from - 1}) * interval '1 minute', updated_at, terms_type,
      frequency, adopted, copied.key_id, copied.sealed
    from agreements, unnest(${uids}::text[], ${keyIds}::text[], ${states}::text[], ${sealed}::bytea[])
      with ordinality as copied (uid, key_id, state, sealed, n)
    where agreements.uid = ${uidOf(0)}`.execute(db);
}
