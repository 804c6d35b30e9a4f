// The entries of float accounts that unmatched credits have, and credits that may be the same.
import { sql } from 'kysely';
import { CREDIT_DECISIONS, type CreditReport } from '../domain/float/credit.js';
import {
  SIMILAR_WITHIN_MS,
  maybeSame,
  type CreditEntries,
  type CreditTexts,
  type SimilarEntry,
} from '../domain/float/same-credit.js';
import { sealedFloatEntryId } from './float-matches.js';
import { openRow, type SealedRow } from './sealed.js';
import type { Instant } from '../domain/facts/fact.js';
import type { FloatEntry } from '../domain/float/chain.js';
import type { Condition } from './conditions.js';
import type { Opened } from './database.js';
import type { FloatEntryTable } from './tables.js';

const MOST = 50;
const MOST_LISTED = 10;

export const createCreditEntries = (opened: Opened): CreditEntries => ({
  entryOfCase: async (accountUid, caseUid) => {
    const { rows } = await sql<FloatEntryTable>`
      select * from float_entries where account_uid = ${accountUid} and case_uid = ${caseUid} and amount > 0`.execute(
      opened.db,
    );
    return rows.map(entryOf)[0];
  },
  claimEntry: async (accountUid, id, caseUid) => {
    const { rows } = await sql<{ case_uid: string }>`
      update float_entries set case_uid = coalesce(case_uid, ${caseUid}), payment_uid = null, refund_uid = null
      where account_uid = ${accountUid} and id = ${id} returning case_uid`.execute(opened.db);
    return rows[0]?.case_uid;
  },
  similarEntries: (report) => readSimilar(opened, report),
});

type Row = FloatEntryTable & {
  state: string | null;
  case_connection_id: string | null;
  case_key_id: string | null;
  case_sealed: Buffer | null;
  owner: string | null;
};

async function readSimilar(opened: Opened, report: CreditReport): Promise<SimilarEntry[]> {
  const { accountUid, amount, receivedAt } = report;
  const { rows } = await sql<Row>`
    select entry.*, credit.state, credit.connection_id as case_connection_id, credit.key_id as case_key_id, credit.sealed as case_sealed,
      coalesce(entry.case_uid, credit.uid) as owner
    from float_entries entry left join unmatched_credits credit on credit.uid = coalesce(entry.case_uid, entry.id)
      and credit.account_uid = entry.account_uid
    where entry.account_uid = ${accountUid} and entry.amount = ${amount} and ${near(sql`entry.at`, receivedAt)}
      and entry.payment_uid is null and entry.refund_uid is null
    order by entry.at, entry.id limit ${MOST + 1}`.execute(opened.db);
  // Which of them is the right one cannot be decided.
  if (rows.length > MOST) return [];
  return rows.map((row) => ({
    ...{ ...entryOf(row), description: textsOfEntry(opened, row).description },
    ...{ caseUid: row.owner ?? undefined, isTaken: row.owner !== null && isTaken(opened, row) },
    isDecided: CREDIT_DECISIONS.some((decision) => decision === row.state),
  }));
}

/** Also a case that has no row yet. */
function isTaken(
  { keyring }: Opened,
  { owner, state, case_connection_id: connectionId, case_key_id: keyId, case_sealed: sealed }: Row,
): boolean {
  if (owner === null || keyId === null || sealed === null) return true;
  if (state === 'joined') return true;
  const view = openRow(keyring, 'unmatched_credits', owner, {
    connection_id: connectionId,
    key_id: keyId,
    sealed,
  });
  return (view as { report?: CreditReport }).report !== undefined;
}

const near = (column: Condition, at: Instant): Condition => sql`
  ${column} between ${at}::timestamptz - make_interval(secs => ${SIMILAR_WITHIN_MS / 1000})
    and ${at}::timestamptz + make_interval(secs => ${SIMILAR_WITHIN_MS / 1000})`;

const entryOf = ({
  id,
  at,
  amount,
  balance_after: balanceAfter,
  connection_id: connectionId,
}: FloatEntryTable): FloatEntry & { connectionId: string } => ({
  ...{ id, at: at.toISOString(), amount, balanceAfter, connectionId },
});

const textsOfEntry = (
  { keyring }: Opened,
  row: Pick<FloatEntryTable, 'account_uid' | 'id' | 'connection_id' | 'key_id' | 'sealed'>,
): CreditTexts =>
  openRow(keyring, 'float_entries', sealedFloatEntryId(row.account_uid, row.id), row) as CreditTexts;

/** A case that perhaps has the same credit as another case, or as an entry without a case. */
export interface ComparedCase {
  uid: string;
  accountUid: string;
  amount: number;
  receivedAt: Instant;
  /** Undefined until its entry is confirmed. Two cases with an entry each are two credits. */
  entryId: string | undefined;
  texts: CreditTexts;
}

export interface PossibleDuplicate {
  kind: 'case' | 'entry';
  uid: string;
}

/** Of one account and amount, at most a day apart, whose texts do not differ. @throws the errors of the database, and SealError if a key is missing. */
export async function findDuplicates(opened: Opened, compared: ComparedCase): Promise<PossibleDuplicate[]> {
  const { uid, accountUid, amount, receivedAt, entryId } = compared;
  const ownTexts = entryId === undefined ? [] : await textsOf(opened, accountUid, [entryId]);
  const own = { ...ownTexts[0], ...compared.texts };
  const { rows: cases } = await sql<SealedRow & { uid: string; entry_id: string | null }>`
    select uid, entry_id, connection_id, key_id, sealed from unmatched_credits
    where account_uid = ${accountUid} and amount = ${amount} and ${near(sql`received_at`, receivedAt)}
      and uid <> ${uid} and state <> 'joined' and ${entryId === undefined ? sql`true` : sql`entry_id is null`}
    order by received_at, uid limit ${MOST}`.execute(opened.db);
  const { rows: entries } = await sql<FloatEntryTable>`
    select * from float_entries entry
    where ${entryId === undefined ? sql`true` : sql`false`} and account_uid = ${accountUid} and amount = ${amount}
      and ${near(sql`at`, receivedAt)} and payment_uid is null and refund_uid is null and case_uid is null
      and not exists (select 1 from unmatched_credits where uid = entry.id)
    order by at, id limit ${MOST}`.execute(opened.db);
  const found: (PossibleDuplicate & { texts: CreditTexts })[] = entries.map((row) => ({
    ...{ kind: 'entry', uid: row.id, texts: textsOfEntry(opened, row) },
  }));
  for (const row of cases) {
    const { report } = openRow(opened.keyring, 'unmatched_credits', row.uid, row) as { report?: CreditTexts };
    const [texts] = report === undefined ? await textsOf(opened, accountUid, [row.entry_id ?? '']) : [report];
    found.push({ kind: 'case', uid: row.uid, texts: texts ?? {} });
  }
  return found
    .filter(({ texts }) => maybeSame(own, texts))
    .slice(0, MOST_LISTED)
    .map(({ kind, uid: other }) => ({ kind, uid: other }));
}

async function textsOf(opened: Opened, accountUid: string, ids: readonly string[]): Promise<CreditTexts[]> {
  const { rows } = await sql<FloatEntryTable>`
    select * from float_entries where account_uid = ${accountUid} and id = any(${ids}::text[])`.execute(
    opened.db,
  );
  return rows.map((row) => textsOfEntry(opened, row));
}
