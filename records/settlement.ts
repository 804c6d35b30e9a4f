// Stores settlement reports. The report itself is sealed; its lines have only uids, amounts and times.
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { storeOwnEvent, type OwnEvent } from './own-events.js';
import { openRow, sealRow } from './sealed.js';
import type { Day } from '../domain/time/calendar.js';
import type {
  FetchedReport,
  ReportContent,
  ReportStored,
  SettlementReports,
} from '../domain/settlement/storage.js';
import type { SettlementRow } from '../domain/settlement/report.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Opened } from './database.js';
import type { SettlementReportTable, Tables } from './tables.js';

/** Lines of one statement: PostgreSQL allows 65,535 parameters. */
const LINES_AT_ONCE = 5000;

export const createSettlementReports = ({ db, keyring }: Opened): SettlementReports => ({
  firstActivity: async (connectionId) => {
    const { rows } = await sql<{ at: Date | null }>`
      select least(
        (select requested_at from connections where uid = ${connectionId}),
        (select min(settled_at) from payments where connection_id = ${connectionId}),
        (select min(at) from float_entries where connection_id = ${connectionId} and is_new)) as at`.execute(
      db,
    );
    return rows[0]?.at?.toISOString();
  },
  storedDays: async (connectionId, from) => {
    const { rows } = await sql<{ day: string; state: string; fetched_at: Date }>`
      select distinct on (day) day, state, fetched_at from settlement_reports
      where connection_id = ${connectionId} and day >= ${from}
      order by day, fetched_at desc`.execute(db);
    return rows.map(({ day, state, fetched_at: at }) => ({ day, state, fetchedAt: at.toISOString() }));
  },
  storeReport: (report) => db.transaction().execute((transaction) => store(transaction, keyring, report)),
});

/**
 * The newest report of a day, as it was downloaded.
 * @returns `content` undefined: it was too large to be kept, or was erased. Undefined: no report is stored.
 */
export async function readReport(
  { db, keyring }: Opened,
  connectionId: string,
  day: Day,
): Promise<{ content: ReportContent | undefined } | undefined> {
  const row = await db
    .selectFrom('settlement_reports')
    .select(['connection_id', 'day', 'checksum', 'key_id', 'sealed'])
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { key_id: keyId, sealed } = row;
  if (keyId === null || sealed === null) return { content: undefined };
  const id = sealedReportId(row);
  const opened = openRow(keyring, 'settlement_reports', id, { ...row, key_id: keyId, sealed });
  return { content: Content.safeParse(opened).data };
}

const Content = z.union([z.object({ csv: z.string() }), z.object({ base64: z.string() })]);

/** Binds a sealed report to its row. */
export const sealedReportId = ({
  connection_id: connectionId,
  day,
  checksum,
}: Pick<SettlementReportTable, 'connection_id' | 'day' | 'checksum'>): string =>
  `${connectionId}/${day}/${checksum}`;

async function store(
  db: Transaction<Tables>,
  keyring: Keyring,
  report: FetchedReport,
): Promise<ReportStored> {
  const { connectionId, day, content, checksum, read, at } = report;
  const versions = await db
    .selectFrom('settlement_reports')
    .select(['id', 'checksum'])
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .orderBy('fetched_at', 'desc')
    .forUpdate()
    .execute();
  const same = versions.find((version) => version.checksum === checksum);
  if (same !== undefined) {
    await db
      .updateTable('settlement_reports')
      .set({ fetched_at: new Date(at) })
      .where('id', '=', same.id)
      .execute();
    return same === versions[0] ? 'same' : 'changed';
  }
  const { id } = await db
    .insertInto('settlement_reports')
    .values({
      ...{ connection_id: connectionId, day, state: read.state, checksum, problem: read.problem ?? null },
      ...{ line_count: read.rows.length, fetched_at: new Date(at) },
      ...sealRow(
        keyring,
        'settlement_reports',
        { uid: sealedReportId({ connection_id: connectionId, day, checksum }), connectionId },
        content ?? {},
      ),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < read.rows.length; from += LINES_AT_ONCE)
    await db
      .insertInto('settlement_lines')
      .values(read.rows.slice(from, from + LINES_AT_ONCE).map((row) => lineOf(id, row)))
      .execute();
  await storeOwnEvent({ db, keyring }, reportedEvent(report));
  return versions.length === 0 ? 'new' : 'changed';
}

const lineOf = (reportId: number, { number, uid, kind, amount, settledAt, problem }: SettlementRow) => ({
  ...{ report_id: reportId, line: number, uid, kind: kind ?? null, amount: amount ?? null },
  problem: problem ?? null,
  settled_at: settledAt === undefined ? null : new Date(settledAt),
});

const reportedEvent = ({ connectionId, day, checksum, read, at }: FetchedReport): OwnEvent => ({
  ...{ type: 'settlement.reported', resource: 'settlement', uid: `${connectionId}.${day}`, connectionId },
  ...{ at: new Date(at), what: checksum },
  view: {
    connectionId,
    day,
    state: read.state,
    checksum,
    lineCount: read.rows.length,
    problem: read.problem,
  },
});
