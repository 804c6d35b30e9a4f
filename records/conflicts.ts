// Another thing under the uid of a recorded one, which Temporal had forgotten when it was requested. It gets a row of its own in the table
// `conflicts`, and the first thing a flag.
import { batchWithoutPersonalData } from '../domain/records/erasure.js';
import { carriedWithFlag, otherUnderUid, withFlag } from '../domain/records/conflict.js';
import { batchColumnsOf, entriesOf, hexOf, sealedColumnsOf } from './batch-rows.js';
import { BATCH_COLUMNS, insertEntries, replacing } from './batch-statements.js';
import { commonColumnsOf, ownColumnsOf } from './columns.js';
import { openCarried, openRow, sealCarried, sealRow } from './sealed.js';
import { tableOf, type ConflictTable, type RowColumns } from './tables.js';
import type { Attention } from '../domain/attention/flags.js';
import type { RecordBatch } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Run, Statement } from './run.js';

/** The id of a row of `conflicts`, to which its sealed columns are bound. */
export const conflictId = ({
  resource,
  uid,
  identity,
}: Pick<ConflictTable, 'resource' | 'uid' | 'identity'>): string => `${resource}/${uid}/${identity}`;

/** The workflow id of the entries of another thing, so that the timeline of the first does not show them. */
export const otherWorkflowId = (workflowId: string, identity: string): string => `${workflowId}/${identity}`;

/**
 * Stores a batch of another thing, unless a newer one is stored. The first batch also flags the first thing, whose version stays.
 * @returns false if the row of the first thing has changed in between: read it again.
 * @throws the errors of the database, and SealError if a key is missing.
 */
export async function storeConflict(
  run: Run,
  keyring: Keyring,
  batch: RecordBatch & { identity: string },
): Promise<boolean> {
  const [found] = await run<Found>(foundStatement(batch));
  if (found === undefined) return false;
  const isErased = found.other_erased_at !== null;
  const flag = otherUnderUid(batch.resource, batch.row.at);
  const flagged = found.other_version === null ? [flaggedRow(keyring, batch, found, flag)] : [];
  const stored = await run(conflictStatement(keyring, batch, { isErased, flagged }));
  return stored.length > 0;
}

/**
 * Raises a flag in the row of a thing, and in what a later run needs. Its version stays.
 * @returns false if there is no row. @throws the errors of the database, and SealError if a key is missing.
 */
export async function flagRow(run: Run, keyring: Keyring, of: Recorded, flag: Attention): Promise<boolean> {
  const [found] = await run<First>(firstStatement(of));
  if (found === undefined) return false;
  if (found.attention.includes(flag.code)) return true;
  const { row, entry } = flaggedRow(keyring, of, found, flag);
  const flagged = await run(flagStatement(of, [row], [entry]));
  // Otherwise the row has changed in between.
  return flagged.length > 0 || flagRow(run, keyring, of, flag);
}

type Recorded = Pick<RecordBatch, 'resource' | 'uid'>;

const firstStatement = ({ resource, uid }: Recorded): Statement => ({
  name: `first ${tableOf(resource)}`,
  text: `select ${COLUMNS_OF_FIRST} from ${tableOf(resource)} as first where uid = $1`,
  values: [uid],
});

const flagStatement = ({ resource }: Recorded, rows: object[], entries: object[]): Statement => ({
  name: `flag ${tableOf(resource)}`,
  text: `
    with flagged as (${updateFlagged(tableOf(resource), '$1')}),
      noted as (${insertEntries('$2', 'where exists (select from flagged)')})
    select uid from flagged`,
  values: [rows, entries].map((list) => JSON.stringify(list)),
});

type First = Pick<
  RowColumns,
  | ('workflow_id' | 'connection_id' | 'version' | 'attention' | 'changed_era' | 'changed_transaction')
  | ('key_id' | 'sealed' | 'carried' | 'carried_key_id')
>;
const COLUMNS_OF_FIRST = `first.workflow_id, first.connection_id, first.version, first.attention, first.changed_era,
  first.changed_transaction::text, first.key_id, first.sealed, first.carried, first.carried_key_id`;

type Found = First & {
  other_version: number | null;
  other_erased_at: Date | null;
};

/** The row of the first thing, and what is stored of the other one. */
const foundStatement = ({ resource, uid, identity }: RecordBatch): Statement => ({
  name: `found ${tableOf(resource)}`,
  text: `
    select ${COLUMNS_OF_FIRST},
      other.version as other_version, other.erased_at as other_erased_at
    from ${tableOf(resource)} as first left join conflicts as other
      on other.resource = '${resource}' and other.uid = first.uid and other.identity = $2
    where first.uid = $1`,
  values: [uid, identity],
});

/** What the flag changes in the row of the first thing, and its entry. */
function flaggedRow(keyring: Keyring, { resource, uid }: Recorded, found: First, flag: Attention) {
  const table = tableOf(resource);
  const view = withFlag(openRow(keyring, table, uid, found), flag);
  const { key_id, sealed } = sealRow(keyring, table, { uid, connectionId: found.connection_id }, view);
  const carried = openCarried(keyring, table, uid, found);
  const later = carried && sealCarried(keyring, table, uid, carriedWithFlag(carried, flag));
  const { changed_era, changed_transaction } = found;
  return {
    row: {
      ...{ uid, changed_era, changed_transaction, key_id, sealed: hexOf(sealed) },
      attention: [...new Set([...found.attention, flag.code])],
      ...(later && { carried: hexOf(later.carried), carried_key_id: later.carried_key_id }),
    },
    entry: flagEntry(keyring, { resource, uid, flag, view }, found),
  };
}
type Flagged = ReturnType<typeof flaggedRow>;

/** It has the place of the row's batch, after the entries of which it comes. No workflow sent it. */
function flagEntry(
  keyring: Keyring,
  { resource, uid, flag, view }: { resource: ResourceName; uid: string; flag: Attention; view: object },
  { workflow_id: workflowId, connection_id, version }: First,
): object {
  const { code: name, since: at } = flag;
  const entry = {
    sequence: version,
    kind: 'attention',
    name,
    at,
    data: { ...flag, isRaised: true },
    event: { number: version },
  } as const;
  const of = { resource, uid, workflowId, connectionId: connection_id ?? undefined };
  const row = { version, at, view };
  const [stored] = entriesOf(keyring, {
    ...of,
    ...{ runId: '', identity: undefined, follows: version, taskFollows: version, entries: [entry], row },
  });
  return { ...stored, task_follows: null };
}

/** @param parameter a JSON list of flagged rows. One that has changed since it was read stays as it is. */
const updateFlagged = (table: string, parameter: string): string => `
  update ${table} as first set attention = given.attention, key_id = given.key_id, sealed = given.sealed,
    carried = coalesce(given.carried, first.carried), changed_era = (select era from feed_era),
    carried_key_id = coalesce(given.carried_key_id, first.carried_key_id), changed_transaction = default
  from json_populate_recordset(null::${table}, ${parameter}::json) as given
  where first.uid = given.uid
    and (first.changed_era, first.changed_transaction) = (given.changed_era, given.changed_transaction)
  returning first.uid`;

const COMMON_COLUMNS = Object.keys(commonColumnsOf({}));
/** It is sealed for the connection of its batch. Its identity is part of its key. */
const NONE_KEPT: ReadonlySet<string> = new Set();
const CONFLICT_COLUMNS = ['resource', 'own', ...BATCH_COLUMNS, ...COMMON_COLUMNS];

/** Returns a row if the batch counts as stored: the other thing was stored already, or the first one is flagged now. */
function conflictStatement(
  keyring: Keyring,
  batch: RecordBatch & { identity: string },
  { isErased, flagged }: { isErased: boolean; flagged: Flagged[] },
): Statement {
  const table = tableOf(batch.resource);
  const { identity } = batch;
  const workflowId = otherWorkflowId(batch.workflowId, identity);
  const given = { ...(isErased ? batchWithoutPersonalData(batch) : batch), identity, workflowId };
  const entries = entriesOf(keyring, given);
  const row = { ...conflictRow(keyring, given), ...(isErased && { search_tags: [] }) };
  return {
    name: `conflict ${table}`,
    text: `
      with flagged as (${updateFlagged(table, '$3')}),
        due as (select $5::boolean as is_repeat where $5::boolean or exists (select from flagged)),
        other as (
          insert into conflicts (${CONFLICT_COLUMNS.join(', ')})
          select ${CONFLICT_COLUMNS.join(', ')} from json_populate_recordset(null::conflicts, $2::json) as given, due
          on conflict (resource, uid, identity) do update set ${replacing('conflicts', CONFLICT_COLUMNS, NONE_KEPT)}
          where conflicts.version < excluded.version and (conflicts.erased_at is not null) = $6::boolean
          returning uid),
        noted as (${insertEntries('$4', 'where exists (select from flagged)')}),
        added as (${insertEntries('$1', 'where exists (select from other)')})
      select 1 from due`,
    values: [
      ...[entries, [row], flagged.map((one) => one.row), flagged.map((one) => one.entry)].map((list) =>
        JSON.stringify(list),
      ),
      flagged.length === 0,
      isErased,
    ],
  };
}

function conflictRow(keyring: Keyring, batch: RecordBatch & { identity: string }): Record<string, unknown> {
  const { resource, row } = batch;
  return {
    resource,
    ...batchColumnsOf(batch),
    ...commonColumnsOf(row.view),
    own: ownColumnsOf(resource, row.view),
    ...sealedColumnsOf(keyring, batch, { table: 'conflicts', id: conflictId(batch) }),
  };
}
