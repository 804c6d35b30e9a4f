// A batch as the rows and entries that its statement stores, in JSON for PostgreSQL.
import { idIn } from '../domain/records/erasure.js';
import { hasEnded } from '../domain/resources.js';
import { eventColumnsOf } from './event-columns.js';
import { columnsOf, eventIdIn, instantIn, nameIn, stateIn, valueAt } from './columns.js';
import { sealCarried, sealEntry, sealRow, type Sealed } from './sealed.js';
import { tableOf } from './tables.js';
import { searchTagsOf } from './tags.js';
import type { Entry, RecordBatch } from '../domain/records/batch.js';
import type { Keyring } from '../sealing/keyring.js';

/**
 * After the end of a resource also the row, as an entry of the kind `view`: Temporal will forget the workflow, and then the row can be rebuilt only
 * from it. Until then the workflow has it (refill.ts).
 */
export function entriesOf(keyring: Keyring, batch: RecordBatch) {
  const { workflowId, resource, uid, connectionId = null, taskFollows, row } = batch;
  const view = { sequence: row.version, kind: 'view', name: 'view', at: row.at, data: row.view } as const;
  const isNewEnd = hasEnded(resource, stateIn(row.view)) && batch.isSameView !== true;
  return [...batch.entries, ...(isNewEnd ? [view] : [])].map((entry) => {
    const { sequence, kind, name, at } = entry;
    const { columns, data } = eventColumnsOf(batch, entry);
    const factId = 'factId' in entry ? entry.factId : undefined;
    return {
      ...{ workflow_id: workflowId, sequence, task_follows: taskFollows, resource, uid, kind },
      connection_id: connectionId,
      ...{ name: nameIn(name), fact_id: factIdOf(factId, data), occurred_at: instantIn(at) ?? new Date() },
      is_authenticated: factId === undefined ? null : isAuthenticated(data),
      ...columns,
      ...inHex(sealEntry(keyring, { workflowId, sequence, kind, connectionId }, data)),
    };
  });
}

/** The provider's id of an event, as a hash unless it has the documented form. Ids that we make stay. */
export function factIdOf(factId: string | undefined, data: Entry['data']): string | null {
  const isOfProvider = ['webhook', 'history'].includes(String(valueAt(data, ['source'])));
  return isOfProvider && factId !== undefined ? eventIdIn(factId) : idIn(factId);
}

const isAuthenticated = (data: Entry['data']): boolean => valueAt(data, ['authenticated']) === true;

/** Its row in the table of its resource. */
export function rowOf(keyring: Keyring, batch: RecordBatch): Record<string, unknown> {
  const { resource, uid, row } = batch;
  return {
    ...batchColumnsOf(batch),
    ...columnsOf(resource, row.view),
    ...sealedColumnsOf(keyring, batch, { table: tableOf(resource), id: uid }),
  };
}

/** The columns that a batch names. A rebuilt row has no run, and keeps that of the row that it replaces. */
export function batchColumnsOf(batch: RecordBatch): Record<string, unknown> {
  const { uid, workflowId, runId, identity, connectionId = null, follows, taskFollows, row } = batch;
  return {
    ...{ uid, workflow_id: workflowId, run_id: runId === '' ? null : runId, identity },
    ...{ connection_id: connectionId, version: row.version, follows, task_follows: taskFollows },
    updated_at: instantIn(row.at) ?? new Date(),
  };
}

/** Search tags, and what is sealed. @param id of the row within its table. */
export function sealedColumnsOf(
  keyring: Keyring,
  { resource, connectionId, row: { version, view }, carried }: RecordBatch,
  { table, id }: { table: Parameters<typeof sealRow>[1]; id: string },
): Record<string, unknown> {
  const later = carried && sealCarried(keyring, table, id, carried);
  return {
    search_tags: searchTagsOf(keyring, resource, view),
    ...inHex(sealRow(keyring, table, { uid: id, connectionId: connectionId ?? null }, view)),
    ...(later && {
      ...{ carried: hexOf(later.carried), carried_key_id: later.carried_key_id, carried_version: version },
    }),
  };
}

const inHex = ({ key_id, sealed }: Sealed) => ({ key_id, sealed: hexOf(sealed) });
/** As PostgreSQL reads bytes. */
export const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
