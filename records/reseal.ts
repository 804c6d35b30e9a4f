// Seals with the first key what older keys sealed, and makes the search tags again, so that an older key can be dropped. As the owner.
import { sql } from 'kysely';
import { zeroOf, type Maintenance } from './database.js';
import { sealedFloatEntryId } from './float-matches.js';
import { ROW_KINDS, type AnyRow, type RowKind } from './row-tables.js';
import {
  openCarried,
  openEntry,
  openRow,
  openWebhook,
  sealCarried,
  sealEntry,
  sealRow,
  sealWebhook,
  type Sealed,
  type SealedRow,
} from './sealed.js';
import { sealedReportId } from './settlement.js';
import { searchTagsOf } from './tags.js';
import type { Keyring } from '../sealing/keyring.js';
import type { EntryTable, FloatEntryTable, SettlementReportTable } from './tables.js';

/** How many were sealed again, or are due in a dry run. */
export interface Resealed {
  /** Also those of the table `conflicts`. */
  rows: number;
  entries: number;
  floatEntries: number;
  reports: number;
  /** Settings and secrets of endpoints, and answers of receivers. */
  webhooks: number;
}

/** A table with sealed data. */
interface Kind<Row> {
  count: keyof Resealed;
  table: string;
  /** The columns of its primary key. */
  key: readonly string[];
  /** The columns with sealed bytes, each with the column of its key. */
  sealed?: Readonly<Record<string, string>>;
  again: (row: Row) => object;
}

const PAGE = 500;
const WEBHOOK_TABLES = ['webhook_endpoints', 'webhook_secrets', 'webhook_deliveries'] as const;

/**
 * May be interrupted and repeated. A row that a worker replaces at the same time stays as the worker sealed it.
 * @throws SealError if a key is missing.
 */
export async function resealRecords(options: Maintenance<Resealed>): Promise<Resealed> {
  const { keyring } = options;
  const resealed = zeroOf('rows', 'entries', 'floatEntries', 'reports', 'webhooks');
  const reseal = <Row extends Sealed>(kind: Kind<Row>): Promise<void> =>
    resealTable(kind, { ...options, resealed });
  for (const kind of ROW_KINDS) await reseal(rowsOf(keyring, kind));
  await reseal<EntryTable>({
    ...{ count: 'entries', table: 'entries', key: ['workflow_id', 'sequence', 'kind'] },
    again: ({ workflow_id: workflowId, sequence, kind, ...entry }) => {
      const id = { workflowId, sequence, kind, connectionId: entry.connection_id };
      return sealEntry(keyring, id, openEntry(keyring, id, entry) as object);
    },
  });
  await reseal<FloatEntryTable>({
    ...{ count: 'floatEntries', table: 'float_entries', key: ['account_uid', 'id'] },
    again: ({ account_uid: account, id, ...row }) =>
      again(keyring, 'float_entries', sealedFloatEntryId(account, id), row),
  });
  await reseal<SettlementReportTable & Sealed>({
    ...{ count: 'reports', table: 'settlement_reports', key: ['id'] },
    again: (row) => again(keyring, 'settlement_reports', sealedReportId(row), row),
  });
  for (const table of WEBHOOK_TABLES)
    await reseal<Sealed & { id: string }>({
      ...{ count: 'webhooks', table, key: ['id'] },
      again: ({ id, ...row }) =>
        sealWebhook(keyring, table, id, openWebhook(keyring, table, id, row) as object),
    });
  return resealed;
}

const again = (keyring: Keyring, table: Parameters<typeof openRow>[1], uid: string, row: SealedRow): Sealed =>
  sealRow(
    keyring,
    table,
    { uid, connectionId: row.connection_id },
    openRow(keyring, table, uid, row) as object,
  );

const ONE_SEALED = { sealed: 'key_id' };
const ROW_SEALED = { ...ONE_SEALED, carried: 'carried_key_id' };

const rowsOf = (keyring: Keyring, { table, key, resourceOf, idOf }: RowKind): Kind<AnyRow> => ({
  ...{ count: 'rows', table, key, sealed: ROW_SEALED },
  again: (row) => {
    const id = idOf(row);
    const view = openRow(keyring, table, id, row) as object;
    const carried = openCarried(keyring, table, id, row);
    return {
      ...sealRow(keyring, table, { uid: id, connectionId: row.connection_id }, view),
      ...(carried && sealCarried(keyring, table, id, carried)),
      // An erased row has no tags, and must not get any.
      search_tags: row.erased_at === null ? searchTagsOf(keyring, resourceOf(row), view) : [],
    };
  },
});

interface Resealing extends Maintenance<Resealed> {
  resealed: Resealed;
}

/** Page by page in the order of the primary key. */
async function resealTable<Row extends Sealed>(
  { count, table, key, sealed = ONE_SEALED, again: sealedAgain }: Kind<Row>,
  { db, keyring: [{ id: current }], isApplied, onProgress, resealed }: Resealing,
): Promise<void> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const isOlder = sql.join(
    Object.values(sealed).map((name) => sql`${sql.ref(name)} <> ${current}`),
    sql` or `,
  );
  let after: Row | undefined;
  for (;;) {
    const valuesOf = (row: Row): unknown[] => key.map((name) => Reflect.get(row, name) as unknown);
    const beyond = after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(valuesOf(after))})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where (${isOlder}) and ${beyond}
      order by ${columns} limit ${PAGE}`.execute(db);
    for (const row of rows) {
      const next = sealedAgain(row);
      if (!isApplied) continue;
      const isSame = Object.keys(sealed).map(
        (name) => sql`${sql.ref(name)} is not distinct from ${Reflect.get(row, name)}::bytea`,
      );
      const set = Object.entries(next).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      await sql`
        update ${sql.table(table)} set ${sql.join(set)}
        where (${columns}) = (${sql.join(valuesOf(row))}) and ${sql.join(isSame, sql` and `)}`.execute(db);
    }
    resealed[count] += rows.length;
    onProgress(resealed);
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}
