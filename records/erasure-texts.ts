// Erases what is no resource: texts of float entries, bytes of settlement reports, and answers of receivers of webhooks.
import { sql } from 'kysely';
import { withoutPersonalData } from '../domain/records/erasure.js';
import { matchOfPayer } from '../domain/records/payer.js';
import { NotErasable, ofConnection, pagesOf, type Resource, type Scope } from './erasure-scope.js';
import { sealedFloatEntryId } from './float-matches.js';
import { openRow, sealRow, type Sealed } from './sealed.js';
import { sealedReportId } from './settlement.js';
import type { PersonalResource } from '../domain/resources.js';
import type { Condition } from './conditions.js';
import type { Opened } from './database.js';
import type { FloatEntryTable, SettlementReportTable } from './tables.js';

type Options = Opened & { isApplied: boolean };

/** Without its personal data. Undefined if it has none. */
export function changed(value: unknown): object | undefined {
  const without = withoutPersonalData(value) as object;
  return JSON.stringify(without) === JSON.stringify(value) ? undefined : without;
}

const uidsOf = (resources: readonly Resource[], ...kinds: PersonalResource[]): string[] =>
  resources.filter(({ resource }) => kinds.includes(resource)).map(({ uid }) => uid);

/** What receivers of webhooks have answered: they may repeat what they received. @returns how many. */
export async function eraseAnswers(
  { db, isApplied }: Options,
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

/**
 * The texts of the entries of its payments, refunds and credits, and of entries without any of these that have an account of the payer.
 * @param onPossible an entry without any of these that has only the name.
 * @returns how many.
 */
export async function eraseFloatTexts(
  options: Options,
  { resources, payer, connectionId }: Scope,
  onPossible: (notice: string) => void,
): Promise<number> {
  const own = await eraseTextsOf(
    options,
    sql`payment_uid = any(${uidsOf(resources, 'payment')}::text[])
      or refund_uid = any(${uidsOf(resources, 'refund')}::text[])
      or coalesce(case_uid, id) = any(${uidsOf(resources, 'unmatched-credit')}::text[])`,
  );
  if (connectionId === undefined) return own;
  let others = 0;
  const due = sql`
    payment_uid is null and refund_uid is null and case_uid is null and ${ofConnection(connectionId)}
    and not exists (select from unmatched_credits where unmatched_credits.uid = float_entries.id)`;
  const entries = { table: 'float_entries', key: ['account_uid', 'id'], due };
  for await (const row of pagesOf<FloatEntryTable>(options.db, entries)) {
    const match = matchOfPayer(payer, openRow(options.keyring, 'float_entries', sealedIdOf(row), row));
    if (match === 'account') others += await eraseText(options, row);
    if (match === 'name')
      onPossible(
        `float entry ${sealedIdOf(row)} may name the payer: read it, and erase it with --float-entry ${sealedIdOf(row)}`,
      );
  }
  return own + others;
}

/** The text of one entry. @throws NotErasable if there is none, or if it belongs to a credit. */
export async function eraseFloatEntry(options: Options, name: string): Promise<number> {
  const { rows } = await sql<{ owner: string | null }>`
    select coalesce(case_uid, (select uid from unmatched_credits where unmatched_credits.uid = float_entries.id)) as owner
    from float_entries where account_uid || '/' || id = ${name}`.execute(options.db);
  const [found] = rows;
  if (found === undefined)
    throw new NotErasable(`expected ACCOUNT/ID of a float entry; found none of ${name}`);
  if (found.owner !== null)
    throw new NotErasable(
      `expected a float entry without a case; found one of unmatched credit ${found.owner}. Erase that with --credit`,
    );
  return eraseTextsOf(options, sql`account_uid || '/' || id = ${name}`);
}

async function eraseTextsOf(options: Options, due: Condition): Promise<number> {
  const { rows } = await sql<FloatEntryTable>`select * from float_entries where ${due}`.execute(options.db);
  let erased = 0;
  for (const row of rows) erased += await eraseText(options, row);
  return erased;
}

const sealedIdOf = ({ account_uid: account, id }: FloatEntryTable): string => sealedFloatEntryId(account, id);

async function eraseText({ db, keyring, isApplied }: Options, row: FloatEntryTable): Promise<number> {
  const sealedId = sealedIdOf(row);
  const text = changed(openRow(keyring, 'float_entries', sealedId, row));
  if (text === undefined) return 0;
  if (isApplied)
    await db
      .updateTable('float_entries')
      .set(sealRow(keyring, 'float_entries', { uid: sealedId, connectionId: row.connection_id }, text))
      .where('account_uid', '=', row.account_uid)
      .where('id', '=', row.id)
      .execute();
  return 1;
}

/**
 * The bytes of the reports with its payments or refunds, and of reports with lines that could not be read and that name them or the payer. The
 * lines have only uids, amounts and times, and stay.
 * @returns how many.
 */
export async function eraseReports(options: Options, scope: Scope): Promise<number> {
  const { db, isApplied } = options;
  const uids = uidsOf(scope.resources, 'payment', 'refund');
  const unread = await unreadReports(options, scope, uids);
  const due = sql`sealed is not null and (id = any(${unread}::bigint[])
    or id in (select report_id from settlement_lines where uid = any(${uids}::text[])))`;
  const { rows } = await (
    isApplied
      ? sql`update settlement_reports set key_id = null, sealed = null where ${due} returning id`
      : sql`select id from settlement_reports where ${due}`
  ).execute(db);
  return rows.length;
}

type StoredReport = Omit<SettlementReportTable, 'id'> & Sealed & { id: number };

async function unreadReports(
  { db, keyring }: Options,
  { payer, connectionId }: Scope,
  uids: readonly string[],
): Promise<number[]> {
  const found: number[] = [];
  if (connectionId === undefined) return found;
  const due = sql`
    sealed is not null and ${ofConnection(connectionId)} and (state <> 'stored' or exists (
      select from settlement_lines where report_id = settlement_reports.id and uid = ''))`;
  for await (const row of pagesOf<StoredReport>(db, {
    ...{ table: 'settlement_reports', key: ['id'], due },
  })) {
    const texts = readableTexts(openRow(keyring, 'settlement_reports', sealedReportId(row), row));
    const isNamed = texts.some((text) => uids.some((uid) => text.includes(uid)));
    if (isNamed || matchOfPayer(payer, texts) !== undefined) found.push(row.id);
  }
  return found;
}

/** Bytes that are no UTF-8 may be of another encoding. */
function readableTexts(content: unknown): string[] {
  const { csv, base64 } = content as { csv?: string; base64?: string };
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return [csv ?? '', bytes.toString('latin1'), bytes.toString('utf16le')];
}

/** Runs of counterparties stay open, so Temporal would keep their sealed data. */
export const openRunNotice = (workflowId: string, reason: string): string =>
  `${workflowId} still runs in Temporal with its sealed data. End it: temporal workflow terminate --workflow-id ${workflowId} --reason ${reason}`;
