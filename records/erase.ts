// Erases one payer's personal data: the rows and entries of an ended agreement, and of all that belongs to it or has an account of its payer
// (erasure-scope.ts). Amounts, times, ids, states and codes stay, so statements stay correct. Only the owner of the database may.
import { sql, type Kysely } from 'kysely';
import { PERSONAL_RESOURCES, hasEnded, type PersonalResource } from '../domain/resources.js';
import { CHANGED_NOW } from './changed-rows.js';
import { conflictId } from './conflicts.js';
import { zeroOf, type Maintenance } from './database.js';
import { NotErasable, scopeOf, type ErasureTarget, type Resource } from './erasure-scope.js';
import {
  changed,
  eraseAnswers,
  eraseFloatEntry,
  eraseFloatTexts,
  eraseReports,
  openRunNotice,
} from './erasure-texts.js';
import { openEntry, openRow, sealEntry, sealRow } from './sealed.js';
import { tableOf, type RowColumns, type RowTable, type Tables } from './tables.js';

export interface EraseOptions extends Maintenance<Erased> {
  of: ErasureTarget;
  /** Who erases, and why. Stored with each erased resource. */
  by: string;
  reason: string;
  /** What the erasure leaves, with the way to erase it. */
  onNotice?: (notice: string) => void;
}

const OTHERS = ['entry', 'float entry', 'settlement report', 'webhook answer'] as const;

/** The rows and the entries that have personal data, or had until now. */
export type Erased = Record<PersonalResource | (typeof OTHERS)[number], number>;

/**
 * One transaction, so an interrupted run has erased nothing. A repeat erases what was stored since.
 * @throws NotErasable if there is no such resource, or something of it has not ended. SealError if a key is missing.
 */
export const erasePayer = (options: EraseOptions): Promise<Erased> =>
  options.db.transaction().execute(async (db) => {
    const { keyring, isApplied, of, onNotice = () => undefined } = options;
    const total = zeroOf(...PERSONAL_RESOURCES, ...OTHERS);
    const within = { db, keyring, isApplied };
    if (of.resource === 'float entry') {
      total['float entry'] = await eraseFloatEntry(within, of.uid);
      return total;
    }
    const scope = await scopeOf({ db, keyring }, { resource: of.resource, uid: of.uid });
    for (const notice of scope.notices) onNotice(notice);
    await eraseResources(db, { ...options, onNotice }, { resources: scope.resources, total });
    total['float entry'] = await eraseFloatTexts(within, scope, onNotice);
    total['settlement report'] = await eraseReports(within, scope);
    total['webhook answer'] = await eraseAnswers(within, scope.resources);
    return total;
  });

async function eraseResources(
  db: Kysely<Tables>,
  options: EraseOptions & Required<Pick<EraseOptions, 'onNotice'>>,
  { resources, total }: { resources: readonly Resource[]; total: Erased },
): Promise<void> {
  const open: string[] = [];
  for (const { resource, uid } of resources) {
    const row = await db
      .selectFrom(tableOf(resource))
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const things: Thing[] = [
      { resource, row, table: tableOf(resource), id: uid },
      ...(await othersUnder(db, resource, uid)),
    ];
    for (const thing of things) {
      const isOpen = !hasEnded(resource, thing.row.state);
      // A registered counterparty does not end. Nothing else uses this one.
      if (isOpen && resource === 'counterparty')
        options.onNotice(openRunNotice(thing.row.workflow_id, 'erased'));
      else if (isOpen) open.push(`${resource} ${uid} ${thing.row.state}`);
      const { isRow, entries } = await eraseOne(db, options, thing);
      total[resource] += isRow ? 1 : 0;
      total.entry += entries;
    }
    options.onProgress(total);
  }
  if (open.length > 0)
    throw new NotErasable(
      `expected that everything has ended; found ${open.join(', ')}. Cancel the agreement first, decide its credits and acknowledge its notifications`,
    );
}

/** A row with what it is sealed for. */
interface Thing {
  resource: PersonalResource;
  row: Omit<RowColumns, 'changed_era' | 'changed_transaction'>;
  table: RowTable | 'conflicts';
  id: string;
}

/** Other things under this uid. */
async function othersUnder(db: Kysely<Tables>, resource: PersonalResource, uid: string): Promise<Thing[]> {
  const ofUid = db.selectFrom('conflicts').where('resource', '=', resource).where('uid', '=', uid);
  const rows = await ofUid.selectAll().forUpdate().execute();
  return rows.map((row) => ({ resource, row, table: 'conflicts', id: conflictId(row) }));
}

/** From now on, batches bring nothing back, also if nothing was found. */
async function eraseOne(
  db: Kysely<Tables>,
  options: EraseOptions,
  { resource, row, table, id }: Thing,
): Promise<{ isRow: boolean; entries: number }> {
  const { keyring, isApplied } = options;
  const stored = openRow(keyring, table, id, row) as object;
  const view = changed(stored);
  const isRow = view !== undefined || row.search_tags.length > 0 || row.carried !== null;
  const isFirst = row.erased_at === null;
  if (isApplied && (isRow || isFirst)) {
    const { key_id, sealed } = sealRow(
      keyring,
      table,
      { uid: id, connectionId: row.connection_id },
      view ?? stored,
    );
    const place = sql`changed_era = ${CHANGED_NOW.changed_era}, changed_transaction = ${CHANGED_NOW.changed_transaction},`;
    await sql`
      update ${sql.table(table)} set ${table === 'conflicts' ? sql`` : place} key_id = ${key_id}, sealed = ${sealed},
        search_tags = '{}', carried = null, carried_key_id = null, carried_version = null,
        erased_at = coalesce(erased_at, now())
      where uid = ${row.uid} and workflow_id = ${row.workflow_id}`.execute(db);
  }
  const entries = await eraseEntries(db, options, row.workflow_id);
  if (isApplied && (isRow || isFirst || entries > 0)) await noteErasure(db, options, resource, row);
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
    const id = { workflowId, sequence, kind, connectionId: entry.connection_id };
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

/** The entry that states who erased, and why. */
export const NOTE = { kind: 'command', name: 'erased' } as const;

const isNote = ({ kind, name }: { kind: string; name: string }): boolean =>
  kind === NOTE.kind && name === NOTE.name;

async function noteErasure(
  db: Kysely<Tables>,
  { keyring, by, reason }: EraseOptions,
  resource: PersonalResource,
  { uid, workflow_id: workflowId, connection_id }: Thing['row'],
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
      ...{ workflow_id: workflowId, sequence, task_follows: null, resource, uid, connection_id, ...NOTE },
      ...{ fact_id: null, is_authenticated: null, occurred_at: new Date() },
      ...sealEntry(
        keyring,
        { workflowId, sequence, kind: NOTE.kind, connectionId: connection_id },
        { by, reason },
      ),
      era: sql`(select era from feed_era)`,
    })
    .execute();
}

/** When personal data of this workflow was erased. Its workflow must not bring it back. The note also tells it if the row is lost. */
export async function erasedSince(db: Kysely<Tables>, workflowId: string): Promise<Date | undefined> {
  const notes = db.selectFrom('entries').where('workflow_id', '=', workflowId);
  const note = notes.where('kind', '=', NOTE.kind).where('name', '=', NOTE.name);
  return (await note.select('occurred_at').executeTakeFirst())?.occurred_at;
}
