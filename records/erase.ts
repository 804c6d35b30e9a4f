// Erases one payer's personal data: the rows and entries of an ended agreement, its payments, their refunds, its onboarding, and the
// counterparty of that onboarding. Amounts, times, ids, states and codes stay, so statements stay correct. Only the owner of the database may.
import { sql } from 'kysely';
import { withoutPersonalData } from '../domain/records/erasure.js';
import { hasEnded } from '../domain/records/retention.js';
import { openEntry, openRow, sealEntry, sealRow } from './sealed.js';
import { ROW_TABLES } from './tables.js';
import type { Kysely } from 'kysely';
import type { ExpiringResource } from '../domain/records/retention.js';
import type { Keyring } from '../sealing/keyring.js';
import type { RowColumns, Tables } from './tables.js';

export interface EraseOptions {
  db: Kysely<Tables>;
  keyring: Keyring;
  /** Of the agreement. */
  uid: string;
  /** Who erases, and why. Stored with each erased resource. */
  by: string;
  reason: string;
  /** False: a dry run. */
  isApplied: boolean;
  onProgress: (erased: Erased) => void;
}

type Erasable = Exclude<ExpiringResource, 'batch' | 'notification'> | 'counterparty';

/** The rows and the entries that have personal data, or had until now. */
export type Erased = Record<Erasable | 'entry', number>;

/** Says what forbids the erasure. */
export class NotErasable extends Error {
  override readonly name = 'NotErasable';
}

/**
 * One transaction, so an interrupted run has erased nothing. A repeat erases what was stored since.
 * @throws NotErasable if there is no such agreement, or something of it has not ended. SealError if a key is missing.
 */
export const eraseAgreement = (options: EraseOptions): Promise<Erased> =>
  options.db.transaction().execute(async (db) => {
    const total = { agreement: 0, payment: 0, refund: 0, onboarding: 0, counterparty: 0, entry: 0 };
    const open: string[] = [];
    for (const { resource, uid } of await resourcesOf(db, options.uid)) {
      const row = await db
        .selectFrom(ROW_TABLES[resource])
        .selectAll()
        .where('uid', '=', uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // A counterparty does not end. Here it belongs to this agreement alone.
      if (resource !== 'counterparty' && !hasEnded(resource, row.state))
        open.push(`${resource} ${uid} ${row.state}`);
      const { isRow, entries } = await eraseOne(db, options, resource, row);
      total[resource] += isRow ? 1 : 0;
      total.entry += entries;
      options.onProgress(total);
    }
    if (open.length > 0)
      throw new NotErasable(
        `expected that everything has ended; found ${open.join(', ')}. Cancel the agreement first`,
      );
    return total;
  });

async function resourcesOf(db: Kysely<Tables>, uid: string): Promise<{ resource: Erasable; uid: string }[]> {
  const { rows } = await sql<{ resource: Erasable; uid: string }>`
    select 'agreement' as resource, uid from agreements where uid = ${uid}
    union all select 'payment', uid from payments where agreement_uid = ${uid}
    union all select 'refund', uid from refunds
      where payment_uid in (select uid from payments where agreement_uid = ${uid})
    union all select 'onboarding', uid from onboardings where agreement_uid = ${uid}
    union all select 'counterparty', uid from counterparties
      where uid in (select counterparty_uid from onboardings where agreement_uid = ${uid})
      and not exists (
        select 1 from onboardings
        where counterparty_uid = counterparties.uid and agreement_uid is distinct from ${uid})`.execute(db);
  if (rows[0]?.resource !== 'agreement')
    throw new NotErasable(`expected the uid of an agreement in the records; found none with ${uid}`);
  return rows;
}

async function eraseOne(
  db: Kysely<Tables>,
  options: EraseOptions,
  resource: Erasable,
  row: RowColumns,
): Promise<{ isRow: boolean; entries: number }> {
  const { keyring, isApplied } = options;
  const table = ROW_TABLES[resource];
  const view = changed(openRow(keyring, table, row.uid, row));
  const isRow = view !== undefined || row.search_tags.length > 0;
  if (isRow && isApplied)
    await db
      .updateTable(table)
      .set({ ...(view && sealRow(keyring, table, row.uid, view)), search_tags: [] })
      .where('uid', '=', row.uid)
      .execute();
  const entries = await eraseEntries(db, options, row.workflow_id);
  if (isApplied && (isRow || entries > 0)) await noteErasure(db, options, resource, row);
  return { isRow, entries };
}

/** @returns how many. */
async function eraseEntries(
  db: Kysely<Tables>,
  { keyring, isApplied }: EraseOptions,
  workflowId: string,
): Promise<number> {
  let erased = 0;
  const entries = await db.selectFrom('entries').selectAll().where('workflow_id', '=', workflowId).execute();
  for (const entry of entries) {
    const { sequence, kind } = entry;
    const id = { workflowId, sequence, kind };
    const data = isNote(entry) ? undefined : changed(openEntry(keyring, id, entry));
    if (data === undefined) continue;
    erased += 1;
    if (isApplied)
      await db
        .updateTable('entries')
        .set(sealEntry(keyring, id, data))
        .where('workflow_id', '=', workflowId)
        .where('sequence', '=', sequence)
        .where('kind', '=', kind)
        .execute();
  }
  return erased;
}

/** Without its personal data. Undefined if it has none. */
function changed(value: unknown): object | undefined {
  const without = withoutPersonalData(value) as object;
  return JSON.stringify(without) === JSON.stringify(value) ? undefined : without;
}

/** The entry that states who erased, and why. */
const NOTE = { kind: 'command', name: 'erased' } as const;

const isNote = ({ kind, name }: { kind: string; name: string }): boolean =>
  kind === NOTE.kind && name === NOTE.name;

async function noteErasure(
  db: Kysely<Tables>,
  { keyring, by, reason }: EraseOptions,
  resource: Erasable,
  { uid, workflow_id: workflowId, connection_id }: RowColumns,
): Promise<void> {
  const { newest } = await db
    .selectFrom('entries')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .where('workflow_id', '=', workflowId)
    .executeTakeFirstOrThrow();
  const sequence = Math.max(Number(newest) + 1, Date.now() * 1000);
  await db
    .insertInto('entries')
    .values({
      ...{ workflow_id: workflowId, sequence, resource, uid, connection_id, ...NOTE },
      ...{ fact_id: null, is_authenticated: null, occurred_at: new Date() },
      ...sealEntry(keyring, { workflowId, sequence, kind: NOTE.kind }, { by, reason }),
      era: sql`(select era from feed_era)`,
    })
    .execute();
}

/** Whether personal data of this workflow was erased, so its workflow must not bring it back. */
export const isErased = async (db: Kysely<Tables>, workflowId: string): Promise<boolean> =>
  (await db
    .selectFrom('entries')
    .select('sequence')
    .where('workflow_id', '=', workflowId)
    .where('kind', '=', NOTE.kind)
    .where('name', '=', NOTE.name)
    .executeTakeFirst()) !== undefined;
