// Erases one payer's personal data: the rows and entries of an ended agreement, its payments, their refunds, and its onboarding. Amounts, times,
// ids, states and codes stay, so statements stay correct. Only the owner of the database may.
import { sql } from 'kysely';
import { withoutPersonalData } from '../domain/records/erasure.js';
import { ENDED_STATES } from '../domain/records/retention.js';
import { openEntry, openRow, sealEntry, sealRow } from './sealed.js';
import { ROW_TABLES } from './tables.js';
import type { Kysely } from 'kysely';
import type { Keyring } from '../sealing/keyring.js';
import type { ExpiringResource } from '../domain/records/retention.js';
import type { Tables } from './tables.js';

export interface EraseOptions {
  db: Kysely<Tables>;
  keyring: Keyring;
  /** Of the agreement. */
  uid: string;
  /** Who erases, and why. Stored with the agreement. */
  by: string;
  reason: string;
  /** False: a dry run. */
  isApplied: boolean;
  onProgress: (erased: Erased) => void;
}

/** What has personal data left, or had until now. */
export interface Erased {
  resources: number;
  rows: number;
  entries: number;
}

/** Says what forbids the erasure. */
export class NotErasable extends Error {
  override readonly name = 'NotErasable';
}

interface Stored {
  resource: ExpiringResource;
  uid: string;
  state: string;
}

/**
 * One transaction for each resource. A repeat changes nothing more.
 * @throws NotErasable if there is no such agreement, or something of it has not ended. SealError if a key is missing.
 */
export async function eraseAgreement(options: EraseOptions): Promise<Erased> {
  const { db, uid, isApplied, onProgress } = options;
  const found = await resourcesOf(db, uid);
  assertEnded(uid, found);
  const total: Erased = { resources: found.length, rows: 0, entries: 0 };
  for (const one of found) {
    const { rows, entries } = await db
      .transaction()
      .execute((transaction) => eraseOne(transaction, options, one));
    total.rows += rows;
    total.entries += entries;
    onProgress(total);
  }
  if (isApplied && total.rows + total.entries > 0) await noteErasure(options, total);
  return total;
}

async function resourcesOf(db: Kysely<Tables>, uid: string): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select 'agreement' as resource, uid, state from agreements where uid = ${uid}
    union all select 'payment', uid, state from payments where agreement_uid = ${uid}
    union all select 'refund', uid, state from refunds
      where payment_uid in (select uid from payments where agreement_uid = ${uid})
    union all select 'onboarding', uid, state from onboardings where agreement_uid = ${uid}`.execute(db);
  return rows;
}

function assertEnded(uid: string, found: readonly Stored[]): void {
  if (!found.some(({ resource }) => resource === 'agreement'))
    throw new NotErasable(`expected the uid of an agreement in the records; found none with ${uid}`);
  const open = found.filter(
    ({ resource, state }) => !ENDED_STATES[resource].some((ended) => ended === state),
  );
  if (open.length > 0)
    throw new NotErasable(
      `expected that everything has ended; found ${open.map(({ resource, uid: id, state }) => `${resource} ${id} ${state}`).join(', ')}. Cancel the agreement first`,
    );
}

async function eraseOne(
  db: Kysely<Tables>,
  { keyring, isApplied }: EraseOptions,
  { resource, uid }: Stored,
): Promise<Pick<Erased, 'rows' | 'entries'>> {
  const table = ROW_TABLES[resource];
  const erased = { rows: 0, entries: 0 };
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const view = changed(openRow(keyring, table, uid, row));
  if (view !== undefined || row.search_tags.length > 0) {
    erased.rows = 1;
    const sealed = view === undefined ? {} : sealRow(keyring, table, uid, view);
    if (isApplied)
      await db
        .updateTable(table)
        .set({ ...sealed, search_tags: [] })
        .where('uid', '=', uid)
        .execute();
  }
  const entries = await db
    .selectFrom('entries')
    .selectAll()
    .where('resource', '=', resource)
    .where('uid', '=', uid)
    .execute();
  for (const entry of entries) {
    const { workflow_id: workflowId, sequence, kind, name } = entry;
    const id = { workflowId, sequence, kind };
    const data = name === ERASURE ? undefined : changed(openEntry(keyring, id, entry));
    if (data === undefined) continue;
    erased.entries += 1;
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

/** The name of the entry that states who erased, and why. */
const ERASURE = 'erased';

async function noteErasure(
  { db, keyring, uid, by, reason }: EraseOptions,
  { rows, entries }: Erased,
): Promise<void> {
  const workflowId = `agreement/${uid}`;
  const { newest } = await db
    .selectFrom('entries')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .where('workflow_id', '=', workflowId)
    .executeTakeFirstOrThrow();
  const sequence = Math.max(Number(newest) + 1, Date.now() * 1000);
  const sealed = sealEntry(keyring, { workflowId, sequence, kind: 'command' }, { by, reason, rows, entries });
  const { connection_id } = await db
    .selectFrom('agreements')
    .select('connection_id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('entries')
    .values({
      ...{ workflow_id: workflowId, sequence, resource: 'agreement', uid, connection_id, kind: 'command' },
      ...{ name: ERASURE, fact_id: null, occurred_at: new Date(), ...sealed },
      era: sql`(select era from feed_era)`,
    })
    .execute();
}
