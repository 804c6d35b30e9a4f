// The statements that store batches. Rows and entries arrive as JSON, so that one prepared statement stores any number of them.
import { entriesOf, rowOf } from './batch-rows.js';
import { columnsOf } from './columns.js';
import { tableOf, type EntryTable, type RowColumns } from './tables.js';
import type { KeyRequest } from '../domain/records/bound-key.js';
import type { RecordBatch } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Statement } from './run.js';

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
  const keys = batches.flatMap(keysOf);
  const keyed = keys.length === 0 ? '' : `, keyed as (${insertKeys(`$${resources.length + 2}`)})`;
  const stored = resources.map((_, index) => `select workflow_id from row_${index}`).join(' union all ');
  return {
    name: `store ${resources.map((resource) => tableOf(resource)).join(' ')}${keys.length === 0 ? '' : ' keys'}`,
    text: `with ${inserts.join(', ')}, stored as (${stored}),
      added as (${insertEntries('$1', 'where given.workflow_id in (select workflow_id from stored)')})${keyed}
      select workflow_id from stored`,
    values: [
      ...[batches.flatMap((batch) => entriesOf(keyring, batch)), ...rows],
      ...(keys.length === 0 ? [] : [keys]),
    ].map((list) => JSON.stringify(list)),
  };
}

/** The keys that the workflow of a batch has dropped. They name its resource, because a run that holds a key admits what it requests. */
const keysOf = ({ resource, keys = [] }: RecordBatch): KeyRequest[] =>
  keys.map((use) => ({ resource, ...use }));

/** Also those of a batch whose row is not stored: a key that is bound for nothing is harmless, and one that is lost is not. */
const insertKeys = (parameter: string): string => `
  insert into idempotency_keys (key, resource, uid, body)
  select key, resource, uid, body from json_populate_recordset(null::idempotency_keys, ${parameter}::json)
  on conflict do nothing`;

/**
 * Stores a batch of a thing whose personal data was erased, if it is newer than its row. Returns nothing.
 * @param batch without personal data.
 */
export const erasedStatement = (keyring: Keyring, batch: RecordBatch): Statement => ({
  name: `erased ${tableOf(batch.resource)}`,
  text: `with row as (${upsert(batch.resource, '$2', ({ stored, given }) => `${stored}.version < ${given}.version`, 'erased')})
    ${insertEntries('$1')}`,
  values: [entriesOf(keyring, batch), [{ ...rowOf(keyring, batch), search_tags: [] }]].map((list) =>
    JSON.stringify(list),
  ),
});

/**
 * Replaces a row in the state `unknown`, which only events have named, by another thing. Returns nothing if the row is another one by now.
 */
export const vacantStatement = (keyring: Keyring, batch: RecordBatch): Statement => ({
  name: `vacant ${tableOf(batch.resource)}`,
  text: `with row as (${upsert(batch.resource, '$2', ({ stored }) => `${stored}.state = 'unknown'`, 'vacant')}),
    added as (${insertEntries('$1', 'where exists (select from row)')})
    select workflow_id from row`,
  values: [entriesOf(keyring, batch), [rowOf(keyring, batch)]].map((list) => JSON.stringify(list)),
});

/** Stores only the entries that are missing, in case a batch is stored again. */
export const entriesStatement = (keyring: Keyring, batch: RecordBatch): Statement => ({
  name: 'store entries',
  text: insertEntries('$1'),
  values: [JSON.stringify(entriesOf(keyring, batch))],
});

/** What the records have under a uid. */
export interface Head extends Pick<
  RowColumns,
  'connection_id' | 'task_follows' | 'run_id' | 'erased_at' | 'state'
> {
  /** Of the newest batch. Null: there is no row. */
  version: number | null;
  identity: string | null;
  /** When the thing expired. */
  gone_at: Date | null;
  /** Whether the identity of the batch has a row in `conflicts`. */
  is_other: boolean;
}

/** Returns one `Head`. */
export const headStatement = ({ resource, uid, identity }: RecordBatch): Statement => ({
  name: `head ${tableOf(resource)}`,
  text: `
    select version, stored.connection_id, task_follows, run_id, erased_at, identity, state, gone_at,
      exists (select from conflicts as other where other.resource = '${resource}' and other.uid = given.uid and other.identity = $2) as is_other
    from (select $1::text as uid) as given left join ${tableOf(resource)} as stored using (uid)
      left join tombstones as gone on gone.resource = '${resource}' and gone.uid = given.uid`,
  values: [uid, identity],
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

/**
 * A row is replaced only by the same thing. One that has expired does not come back. PostgreSQL could read a whole table for an `exists`; a
 * selected value it finds by the primary key.
 * @param parameter a JSON list of rows. @param isDue when a row replaces the stored one. @param replaced whether the stored row must be an erased one.
 */
function upsert(
  resource: ResourceName,
  parameter: string,
  isDue: (names: Names) => string,
  replaced: 'usual' | 'erased' | 'vacant' = 'usual',
): string {
  const table = tableOf(resource);
  const names = rowColumnsOf(resource);
  return `
    insert into ${table} (changed_era, ${names.join(', ')})
    select (select era from feed_era), ${names.join(', ')} from json_populate_recordset(null::${table}, ${parameter}::json) as given
    where follows = 0 and (select true from tombstones as gone where gone.resource = '${resource}' and gone.uid = given.uid) is null
      or (select true from ${table} as stored where stored.uid = given.uid)
    on conflict (uid) do update set ${replacing(table, [...PLACE_OF_CHANGE, ...names], replaced === 'vacant' ? NONE : KEPT)}
    where ${isDue({ stored: table, given: 'excluded' })}
      and ${table}.erased_at is ${replaced === 'erased' ? 'not null' : 'null'}
      ${replaced === 'vacant' ? '' : isOfConnection(table)}
      ${replaced === 'vacant' ? '' : `and (${table}.identity is null or excluded.identity is null or ${table}.identity = excluded.identity)`}
    returning workflow_id`;
}

/** A row keeps its connection, and is sealed for it. A batch that names another, or none, is sealed again before it replaces the row. */
const isOfConnection = (table: string): string =>
  `and (${table}.connection_id is null or ${table}.connection_id = excluded.connection_id)`;

/** A row keeps the first of these that it gets. */
const KEPT: ReadonlySet<string> = new Set(['identity']);
const NONE: ReadonlySet<string> = new Set();
/** A row keeps the last of these that it gets. */
const LAST: ReadonlySet<string> = new Set(['run_id', 'carried', 'carried_key_id', 'carried_version']);

/** What replaces the columns of a stored row. */
export const replacing = (table: string, names: readonly string[], kept = KEPT): string =>
  names
    .map((name) => {
      if (kept.has(name)) return `${name} = coalesce(${table}.${name}, excluded.${name})`;
      if (LAST.has(name)) return `${name} = coalesce(excluded.${name}, ${table}.${name})`;
      return `${name} = excluded.${name}`;
    })
    .join(', ');

/** The transaction has a default. */
const PLACE_OF_CHANGE = ['changed_era', 'changed_transaction'];

/** The columns of a row that do not come from its view, except its place. */
export const BATCH_COLUMNS = [
  ...['uid', 'workflow_id', 'run_id', 'identity', 'connection_id', 'version', 'follows', 'task_follows'],
  ...['updated_at', 'search_tags', 'key_id', 'sealed', 'carried', 'carried_key_id', 'carried_version'],
];

const rowColumnsOf = (resource: ResourceName): string[] => [
  ...BATCH_COLUMNS,
  ...Object.keys(columnsOf(resource, {})),
];

const PLACE = ['era', 'transaction', 'position', 'recorded_at'];
const ENTRY_COLUMNS = {
  ...{ workflow_id: 'text', sequence: 'bigint', task_follows: 'bigint', resource: 'text', uid: 'text' },
  ...{ connection_id: 'text', kind: 'text', name: 'text', fact_id: 'text', is_authenticated: 'boolean' },
  ...{ occurred_at: 'timestamptz', key_id: 'text', sealed: 'bytea', event: 'text', event_id: 'text' },
};
const PLACE_COLUMNS = { era: 'int', transaction: 'xid8', position: 'bigint', recorded_at: 'timestamptz' };

/** @param parameter a JSON list of entries. @param condition which of `given` to insert. @param place the columns of a place to keep. */
export function insertEntries(parameter: string, condition = '', place: readonly string[] = []): string {
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
