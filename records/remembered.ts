// What the records have of one thing, for those who find that Temporal has forgotten it (docs/records.md).
import { RecordsIncomplete } from './errors.js';
import { INCOMPLETE_SINCE } from './incomplete.js';
import { openCarried, openRow } from './sealed.js';
import { tableOf, type RowColumns } from './tables.js';
import type { Remembered } from '../domain/records/remembered.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Run, Statement } from './run.js';

/**
 * One statement, by primary keys.
 * @returns undefined if the thing was never recorded.
 * @throws the errors of the database, RecordsIncomplete, and SealError if a key is missing.
 */
export async function readRemembered(
  run: Run,
  keyring: Keyring,
  resource: ResourceName,
  uid: string,
): Promise<Remembered | undefined> {
  const [found] = await run<Found>(statementOf(resource, uid));
  if (found === undefined) return undefined;
  if (found.incomplete_since !== null) throw new RecordsIncomplete(found.incomplete_since);
  const connectionId = found.connection_id ?? undefined;
  if (found.version === null)
    return found.gone_at === null
      ? undefined
      : { is: 'gone', why: 'expired', connectionId, since: found.gone_at.toISOString() };
  if (found.erased_at !== null)
    return { is: 'gone', why: 'erased', connectionId, since: found.erased_at.toISOString() };
  const table = tableOf(resource);
  return {
    ...{ is: 'row', version: found.version, identity: found.identity ?? undefined, connectionId },
    state: found.state,
    view: openRow(keyring, table, uid, found) as object,
    carried: openCarried(keyring, table, uid, found),
  };
}

type Found = (Row | { version: null; connection_id: string | null }) & {
  gone_at: Date | null;
  incomplete_since: Date | null;
};
type Row = Pick<
  RowColumns,
  | ('version' | 'identity' | 'connection_id' | 'state' | 'erased_at' | 'key_id' | 'sealed')
  | ('carried' | 'carried_key_id')
>;

const statementOf = (resource: ResourceName, uid: string): Statement => ({
  name: `remembered ${tableOf(resource)}`,
  text: `
    select version, identity, coalesce(stored.connection_id, gone.connection_id) as connection_id, state, erased_at, key_id, sealed,
      case when carried_version = version then carried end as carried, carried_key_id, gone_at,
      ${INCOMPLETE_SINCE} as incomplete_since
    from (select $1::text as uid) as given left join ${tableOf(resource)} as stored using (uid)
      left join tombstones as gone on gone.resource = '${resource}' and gone.uid = given.uid`,
  values: [uid],
});
