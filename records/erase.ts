// Erases one payer's personal data: the rows and entries of an ended agreement, its payments, their refunds, its onboarding, the counterparty of that
// onboarding, the unmatched credits that pay it, and its texts in float accounts and settlement reports. Or those of one unmatched credit. Amounts, times, ids, states and codes stay, so statements stay correct. Only the owner of the database may.
import { sql } from 'kysely';
import { withoutPersonalData } from '../domain/records/erasure.js';
import { PERSONAL_RESOURCES, RESOURCES, hasEnded } from '../domain/resources.js';
import { CHANGED_NOW } from './changed-rows.js';
import { conflictId } from './conflicts.js';
import { zeroOf } from './database.js';
import { sealedFloatEntryId } from './float-matches.js';
import { openEntry, openRow, sealEntry, sealRow } from './sealed.js';
import { tableOf } from './tables.js';
import type { Kysely } from 'kysely';
import type { PersonalResource } from '../domain/resources.js';
import type { Condition } from './conditions.js';
import type { Maintenance } from './database.js';
import type { FloatEntryTable, RowColumns, RowTable, Tables } from './tables.js';

export interface EraseOptions extends Maintenance<Erased> {
  /** The agreement or the unmatched credit. */
  of: { resource: 'agreement' | 'unmatched-credit'; uid: string };
  /** Who erases, and why. Stored with each erased resource. */
  by: string;
  reason: string;
}

/** The rows and the entries that have personal data, or had until now. */
export type Erased = Record<
  PersonalResource | 'entry' | 'float entry' | 'settlement report' | 'webhook answer',
  number
>;

/** Says what forbids the erasure. */
export class NotErasable extends Error {
  override readonly name = 'NotErasable';
}

/**
 * One transaction, so an interrupted run has erased nothing. A repeat erases what was stored since.
 * @throws NotErasable if there is no such resource, or something of it has not ended. SealError if a key is missing.
 */
export const erasePayer = (options: EraseOptions): Promise<Erased> =>
  options.db.transaction().execute(async (db) => {
    const total = zeroOf(
      ...PERSONAL_RESOURCES,
      ...(['entry', 'float entry', 'settlement report', 'webhook answer'] as const),
    );
    const open: string[] = [];
    const resources = await resourcesOf(db, options.of);
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
        // A counterparty does not end. Here it belongs to this agreement alone.
        if (resource !== 'counterparty' && !hasEnded(resource, thing.row.state))
          open.push(`${resource} ${uid} ${thing.row.state}`);
        const { isRow, entries } = await eraseOne(db, options, thing);
        total[resource] += isRow ? 1 : 0;
        total.entry += entries;
      }
      options.onProgress(total);
    }
    if (open.length > 0)
      throw new NotErasable(
        `expected that everything has ended; found ${open.join(', ')}. Cancel the agreement first`,
      );
    total['float entry'] = await eraseFloatTexts(db, options, resources);
    total['settlement report'] = await eraseReports(db, options, resources);
    total['webhook answer'] = await eraseAnswers(db, options, resources);
    return total;
  });

/** What receivers of webhooks have answered: they may repeat what they received. @returns how many. */
async function eraseAnswers(
  db: Kysely<Tables>,
  { isApplied }: EraseOptions,
  resources: readonly Resource[],
): Promise<number> {
  const names = resources.map(({ resource, uid }) => `${resource}/${uid}`);
  const due = sql`sealed is not null and resource || '/' || uid = any(${names}::text[])`;
  const { rows } = await (
    isApplied
      ? sql<{ count: number }>`
          with gone as (update webhook_deliveries set key_id = null, sealed = null where ${due} returning 1)
          select count(*) as count from gone`
      : sql<{ count: number }>`select count(*) as count from webhook_deliveries where ${due}`
  ).execute(db);
  return rows[0]?.count ?? 0;
}

interface Resource {
  resource: PersonalResource;
  uid: string;
}

async function resourcesOf(db: Kysely<Tables>, { resource, uid }: EraseOptions['of']): Promise<Resource[]> {
  const select = (name: PersonalResource, condition: Condition) =>
    sql`select ${sql.lit(name)} as resource, uid from ${sql.table(tableOf(name))} where ${condition}`;
  const found =
    resource === 'agreement'
      ? PERSONAL_RESOURCES.map((name) => select(name, ofAgreement(name, uid)))
      : [select(resource, sql`uid = ${uid}`)];
  const { rows } = await sql<Resource>`${sql.join(found, sql` union all `)}`.execute(db);
  if (rows.some((row) => row.resource === resource)) return rows;
  throw new NotErasable(`expected the uid of an ${resource} in the records; found none with ${uid}`);
}

type Rows = typeof RESOURCES;
/** The personal resources with a parent. */
type Child = {
  [Name in PersonalResource]: Rows[Name] extends { parent: string } ? Name : never;
}[PersonalResource];
const isChild = (name: PersonalResource): name is Child => 'parent' in RESOURCES[name];

/** The condition for the rows of its payer. Those with a parent go with it. A counterparty counts if it belongs to this agreement alone. */
function ofAgreement(name: PersonalResource, uid: string): Condition {
  const ofParent: Readonly<Record<Rows[Child]['parent'], Condition>> = {
    agreement: sql`agreement_uid = ${uid}`,
    payment: sql`payment_uid in (select uid from payments where agreement_uid = ${uid})`,
  };
  if (isChild(name)) return ofParent[RESOURCES[name].parent];
  const others: Readonly<Record<Exclude<PersonalResource, Child>, Condition>> = {
    agreement: sql`uid = ${uid}`,
    onboarding: ofParent.agreement,
    counterparty: sql`
      uid in (select counterparty_uid from onboardings where agreement_uid = ${uid})
      and not exists (
        select 1 from onboardings
        where counterparty_uid = counterparties.uid and agreement_uid is distinct from ${uid})`,
    'unmatched-credit': sql`${ofParent.agreement} or ${ofParent.payment}`,
  };
  return others[name];
}

const uidsOf = (resources: readonly Resource[], ...kinds: PersonalResource[]): string[] =>
  resources.filter(({ resource }) => kinds.includes(resource)).map(({ uid }) => uid);

/** The texts of the entries of its payments, refunds and credits. @returns how many. */
async function eraseFloatTexts(
  db: Kysely<Tables>,
  { keyring, isApplied }: EraseOptions,
  resources: readonly Resource[],
): Promise<number> {
  const { rows } = await sql<FloatEntryTable>`
    select * from float_entries where payment_uid = any(${uidsOf(resources, 'payment')}::text[])
      or refund_uid = any(${uidsOf(resources, 'refund')}::text[])
      or coalesce(case_uid, id) = any(${uidsOf(resources, 'unmatched-credit')}::text[])`.execute(db);
  let erased = 0;
  for (const { account_uid: account, id, ...row } of rows) {
    const sealedId = sealedFloatEntryId(account, id);
    const text = changed(openRow(keyring, 'float_entries', sealedId, row));
    if (text === undefined) continue;
    erased += 1;
    if (isApplied)
      await db
        .updateTable('float_entries')
        .set(sealRow(keyring, 'float_entries', sealedId, text))
        .where('account_uid', '=', account)
        .where('id', '=', id)
        .execute();
  }
  return erased;
}

/** The bytes of the reports with its payments or refunds. Their lines have only uids, amounts and times, and stay. @returns how many. */
async function eraseReports(
  db: Kysely<Tables>,
  { isApplied }: EraseOptions,
  resources: readonly Resource[],
): Promise<number> {
  const due = sql`sealed is not null and id in (
    select report_id from settlement_lines where uid = any(${uidsOf(resources, 'payment', 'refund')}::text[]))`;
  const { rows } = await (
    isApplied
      ? sql`update settlement_reports set key_id = null, sealed = null where ${due} returning id`
      : sql`select id from settlement_reports where ${due}`
  ).execute(db);
  return rows.length;
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
    const { key_id, sealed } = sealRow(keyring, table, id, view ?? stored);
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
      ...sealEntry(keyring, { workflowId, sequence, kind: NOTE.kind }, { by, reason }),
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
