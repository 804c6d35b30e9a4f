// The statements that store batches. Rows and entries arrive as JSON, so that one prepared statement stores any number of them.
import { idIn } from '../domain/records/erasure.js';
import { hasEnded } from '../domain/resources.js';
import { columnsOf, instantIn, nameIn, stateIn, valueAt } from './columns.js';
import { sealEntry, sealRow } from './sealed.js';
import { tableOf } from './tables.js';
import { searchTagsOf } from './tags.js';
import type { Entry, RecordBatch } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Sealed } from './sealed.js';
import type { EntryTable } from './tables.js';

/** A statement, prepared once under its name for each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** The place of an entry in the feed. */
export interface StoredPlace {
  era: number;
  /** Texts, because JavaScript would round them. */
  transaction: string;
  position: string;
  recorded_at: string;
}

/** Stores batches of different workflows, each if it follows the newest batch of its workflow. Returns the workflows whose batch is stored. */
export function storeStatement(keyring: Keyring, batches: readonly RecordBatch[]): Statement {
  const resources = [...new Set(batches.map(({ resource }) => resource))].sort();
  const rows = resources.map((resource) =>
    batches.filter((batch) => batch.resource === resource).map((batch) => rowOf(keyring, batch)),
  );
  const inserts = resources.map(
    (resource, index) =>
      `row_${index} as (${upsert(resource, `$${index + 2}`, ({ stored, given }) => `${stored}.version = ${given}.follows`)})`,
  );
  const stored = resources.map((_, index) => `select workflow_id from row_${index}`).join(' union all ');
  return {
    name: `store ${resources.map((resource) => tableOf(resource)).join(' ')}`,
    text: `with ${inserts.join(', ')}, stored as (${stored}),
      added as (${insertEntries('$1', 'where given.workflow_id in (select workflow_id from stored)')})
      select workflow_id from stored`,
    values: [batches.flatMap((batch) => entriesOf(keyring, batch)), ...rows].map((list) =>
      JSON.stringify(list),
    ),
  };
}

/** Stores only the entries that are missing, in case a batch is stored again. */
export const entriesStatement = (keyring: Keyring, batch: RecordBatch): Statement => ({
  name: 'store entries',
  text: insertEntries('$1'),
  values: [JSON.stringify(entriesOf(keyring, batch))],
});

/** The newest batch of a workflow, from its row. */
export const headStatement = ({ resource, uid }: RecordBatch): Statement => ({
  name: `head ${tableOf(resource)}`,
  text: `select version, task_follows, run_id from ${tableOf(resource)} where uid = $1`,
  values: [uid],
});

/** What the newest task of a workflow has stored, without views: a reader may see a later one. */
export const newestStatement = ({ workflowId, follows }: RecordBatch): Statement => ({
  name: 'newest entries',
  text: `
    select kind, name, fact_id, is_authenticated, era, transaction::text, position::text, recorded_at::text
    from entries where workflow_id = $1 and sequence > $2 and task_follows = $2 and kind <> 'view' order by sequence`,
  values: [workflowId, follows],
});

export type NewestEntry = Pick<EntryTable, 'kind' | 'name' | 'fact_id' | 'is_authenticated'> & StoredPlace;

/**
 * Replaces what the newest task of a workflow has stored, because the task never completed. An entry that both have keeps its place in the feed, so a
 * reader who has seen it does not see it again. Returns the workflow unless its newest batch is another one by now.
 */
export function replaceStatement(
  keyring: Keyring,
  batch: RecordBatch,
  { version, newest }: { version: number; newest: readonly NewestEntry[] },
): Statement {
  const { resource, follows } = batch;
  const places = new Map<string, NewestEntry[]>();
  for (const entry of newest)
    places.set(identityOf(entry), [...(places.get(identityOf(entry)) ?? []), entry]);
  const entries = entriesOf(keyring, batch).map((entry) => ({
    ...entry,
    ...places.get(identityOf(entry))?.shift(),
  }));
  const isUnchanged = ({ stored, given }: Names): string =>
    `${stored}.version = $3 and ${stored}.run_id = ${given}.run_id`;
  return {
    name: `replace ${tableOf(resource)}`,
    text: `with row as (${upsert(resource, '$2', isUnchanged)}),
      removed as (select workflow_id, remove_unfinished(workflow_id, $4) from row),
      kept as (${insertEntries('$1', 'join removed using (workflow_id) where given.position is not null', PLACE)}),
      added as (${insertEntries('$1', 'join removed using (workflow_id) where given.position is null')})
      select workflow_id from removed`,
    values: [JSON.stringify(entries), JSON.stringify([rowOf(keyring, batch)]), version, follows],
  };
}

/** What makes two entries of a repeated task the same change. Their times differ. */
const identityOf = ({
  kind,
  name,
  fact_id,
  is_authenticated,
}: Omit<NewestEntry, keyof StoredPlace>): string => JSON.stringify([kind, name, fact_id, is_authenticated]);

interface Names {
  /** The table with the stored row. */
  stored: string;
  /** The row that would replace it. */
  given: string;
}

/** @param parameter a JSON list of rows. @param isDue when a row replaces the stored one. */
function upsert(resource: ResourceName, parameter: string, isDue: (names: Names) => string): string {
  const table = tableOf(resource);
  const names = rowColumnsOf(resource);
  return `
    insert into ${table} (changed_era, ${names.join(', ')})
    select (select era from feed_era), ${names.join(', ')} from json_populate_recordset(null::${table}, ${parameter}::json) as given
    where follows = 0 or exists (select from ${table} as stored where stored.uid = given.uid)
    on conflict (uid) do update set ${[...PLACE_OF_CHANGE, ...names].map((name) => `${name} = excluded.${name}`).join(', ')}
    where ${isDue({ stored: table, given: 'excluded' })}
    returning workflow_id`;
}

/** The transaction has a default. */
const PLACE_OF_CHANGE = ['changed_era', 'changed_transaction'];

const rowColumnsOf = (resource: ResourceName): string[] => [
  ...['uid', 'workflow_id', 'run_id', 'connection_id', 'version', 'follows', 'task_follows', 'updated_at'],
  ...Object.keys(columnsOf(resource, {})),
  ...['search_tags', 'key_id', 'sealed'],
];

const PLACE = ['era', 'transaction', 'position', 'recorded_at'];
const ENTRY_COLUMNS = {
  ...{ workflow_id: 'text', sequence: 'bigint', task_follows: 'bigint', resource: 'text', uid: 'text' },
  ...{ connection_id: 'text', kind: 'text', name: 'text', fact_id: 'text', is_authenticated: 'boolean' },
  ...{ occurred_at: 'timestamptz', key_id: 'text', sealed: 'bytea' },
};
const PLACE_COLUMNS = { era: 'int', transaction: 'xid8', position: 'bigint', recorded_at: 'timestamptz' };

/** @param parameter a JSON list of entries. @param condition which of `given` to insert. @param place the columns of a place to keep. */
function insertEntries(parameter: string, condition = '', place: readonly string[] = []): string {
  const names = Object.keys(ENTRY_COLUMNS);
  const isNew = place.length === 0;
  const types = Object.entries({ ...ENTRY_COLUMNS, ...PLACE_COLUMNS }).map(
    ([name, type]) => `${name} ${type}`,
  );
  return `
    insert into entries (${[...(isNew ? ['era'] : place), ...names].join(', ')})
    ${isNew ? '' : 'overriding system value'}
    select ${[isNew ? '(select era from feed_era)' : place.map((name) => `given.${name}`).join(', '), ...names.map((name) => `given.${name}`)].join(', ')}
    from rows from (json_to_recordset(${parameter}::json) as (${types.join(', ')})) with ordinality as given
    ${condition}
    order by given.ordinality
    on conflict do nothing`;
}

/**
 * After the end of a resource also the row, as an entry of the kind `view`: Temporal will forget the workflow, and then the row can be rebuilt only
 * from it. Until then the workflow has it (refill.ts).
 */
function entriesOf(keyring: Keyring, batch: RecordBatch) {
  const { workflowId, resource, uid, connectionId = null, taskFollows, row } = batch;
  const view = { sequence: row.version, kind: 'view', name: 'view', at: row.at, data: row.view } as const;
  const isEnded = hasEnded(resource, stateIn(row.view));
  return [...batch.entries, ...(isEnded ? [view] : [])].map((entry) => {
    const { sequence, kind, name, at, data } = entry;
    const factId = 'factId' in entry ? entry.factId : undefined;
    return {
      ...{ workflow_id: workflowId, sequence, task_follows: taskFollows, resource, uid, kind },
      connection_id: connectionId,
      ...{ name: nameIn(name), fact_id: idIn(factId), occurred_at: instantIn(at) ?? new Date() },
      is_authenticated: factId === undefined ? null : isAuthenticated(data),
      ...inHex(sealEntry(keyring, { workflowId, sequence, kind }, data)),
    };
  });
}

const isAuthenticated = (data: Entry['data']): boolean => valueAt(data, ['authenticated']) === true;

function rowOf(keyring: Keyring, batch: RecordBatch): Record<string, unknown> {
  const { resource, uid, workflowId, runId, connectionId = null, follows, taskFollows, row } = batch;
  const { version, at, view } = row;
  return {
    ...{ uid, workflow_id: workflowId, run_id: runId, connection_id: connectionId, version },
    ...{ follows, task_follows: taskFollows },
    updated_at: instantIn(at) ?? new Date(),
    ...columnsOf(resource, view),
    search_tags: searchTagsOf(keyring, resource, view),
    ...inHex(sealRow(keyring, tableOf(resource), uid, view)),
  };
}

/** As PostgreSQL reads bytes. */
const inHex = ({ key_id, sealed }: Sealed) => ({ key_id, sealed: `\\x${sealed.toString('hex')}` });
