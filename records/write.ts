// Stores a batch: its entries, and its row if that is newer. One statement, so all or nothing.
import { sql } from 'kysely';
import { idIn } from '../domain/records/erasure.js';
import { columnsOf, instantIn, nameIn, valueAt } from './columns.js';
import { CHANGED_ROWS } from './listen.js';
import { sealEntry, sealRow } from './sealed.js';
import { tableOf } from './tables.js';
import { searchTagsOf } from './tags.js';
import type { RawBuilder } from 'kysely';
import type { EntryKind, RecordBatch } from '../domain/records/batch.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Opened } from './database.js';

export const createRecords = ({ db, keyring }: Opened) => ({
  /** Stores a batch in one transaction. A repeat changes nothing. */
  write: async (batch: RecordBatch): Promise<void> => {
    await sql`
      with stored as (${insertEntries(keyring, batch)}), replaced as (${upsertRow(keyring, batch)} returning workflow_id)
      select pg_notify(${CHANGED_ROWS}, workflow_id) from replaced`.execute(db);
  },
});

/**
 * Also the row, as an entry of the kind `view`, from which the row can be rebuilt. If a worker is killed after it has stored and before its
 * workflow task has ended, the task is repeated and stores the same facts under later sequences. So a fact is also recognised by its id.
 */
function insertEntries(keyring: Keyring, batch: RecordBatch): RawBuilder<unknown> {
  const { workflowId, resource, uid, connectionId, row } = batch;
  const entries: readonly NewEntry[] = [
    ...batch.entries,
    { sequence: row.version, kind: 'view', name: 'view', at: row.at, data: row.view },
  ];
  const values = entries.map(({ sequence, kind, name, factId, at, data }) => {
    const { key_id, sealed } = sealEntry(keyring, { workflowId, sequence, kind }, data);
    return sql`(${sql.join([
      sql`(select era from feed_era)`,
      ...[workflowId, sequence, resource, uid, connectionId ?? null, kind, nameIn(name), idIn(factId)],
      ...[factId === undefined ? null : isAuthenticated(data), instantIn(at) ?? new Date(), key_id, sealed],
    ])})`;
  });
  return sql`
    insert into entries
      (era, workflow_id, sequence, resource, uid, connection_id, kind, name, fact_id, is_authenticated,
        occurred_at, key_id, sealed)
    values ${sql.join(values)}
    on conflict do nothing`;
}

const isAuthenticated = (data: object): boolean => valueAt(data, ['authenticated']) === true;

interface NewEntry {
  sequence: number;
  kind: EntryKind;
  name: string;
  factId?: string | undefined;
  at: string;
  data: object;
}

/** Replaces the row only if this one is newer. */
export function upsertRow(
  keyring: Keyring,
  { resource, uid, workflowId, connectionId, row: { version, at, view } }: Omit<RecordBatch, 'entries'>,
): RawBuilder<unknown> {
  const table = tableOf(resource);
  const row: Record<string, unknown> = {
    ...{ uid, workflow_id: workflowId, connection_id: connectionId ?? null, version },
    updated_at: instantIn(at) ?? new Date(),
    ...columnsOf(resource, view),
    search_tags: searchTagsOf(keyring, resource, view),
    ...sealRow(keyring, table, uid, view),
  };
  const names = Object.keys(row);
  const replaced = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  return sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})
    on conflict (uid) do update set ${sql.join(replaced)}
    where ${sql.ref(`${table}.version`)} < excluded.version`;
}
