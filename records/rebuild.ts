// Makes the rows of ended resources again from their entries of the kind `view`, if they are missing or older. The rows of running resources come from
// their workflows (refill.ts).
import { sql, type Kysely, type Selectable } from 'kysely';
import { NOTE, erasedSince } from './erase.js';
import { zeroOf, type Maintenance } from './database.js';
import { markComplete, markIncomplete } from './incomplete.js';
import { openEntry } from './sealed.js';
import { tableOf, type EntryTable, type Tables } from './tables.js';
import { createRecords } from './write.js';
import type { RecordBatch } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';

export interface Rebuilt {
  /** With entries in the records. */
  workflows: number;
  /** Rows of ended resources that were missing or older, and are now written, unless it was a dry run. */
  rows: number;
  /** Rows of running resources that are missing or older. Only their workflows can make them again. */
  running: number;
}

type NewestEntry = Pick<
  Selectable<EntryTable>,
  | ('workflow_id' | 'sequence' | 'kind' | 'resource' | 'uid' | 'connection_id' | 'task_follows')
  | ('occurred_at' | 'key_id' | 'sealed')
>;

const PAGE = 500;

/**
 * Reads the newest entry of each workflow, in the order of their ids: the feed would end at the oldest open transaction of the server. A row
 * is replaced in place: it keeps its identity, its run, and what a later run needs. What has expired, and other things under a uid, are left out.
 * The rows are marked as incomplete until it ends, and longer if rows of running resources are missing.
 * @throws SealError if a key is missing.
 */
export async function rebuildRows(options: Maintenance<Rebuilt>): Promise<Rebuilt> {
  const { db, isApplied } = options;
  if (!isApplied) return rebuildEach(options);
  await markIncomplete(db, 'rebuild');
  const rebuilt = await rebuildEach(options);
  if (rebuilt.running > 0) await markIncomplete(db, 'rebuild --from-workflows');
  await markComplete(db, 'rebuild');
  return rebuilt;
}

async function rebuildEach({ db, keyring, isApplied, onProgress }: Maintenance<Rebuilt>): Promise<Rebuilt> {
  const rebuilt = zeroOf('workflows', 'rows', 'running');
  const { write } = createRecords({ db, keyring });
  let page: NewestEntry[] = [];
  do {
    page = await newestAfter(db, page.at(-1)?.workflow_id ?? '');
    const versions = await versionsOf(db, page);
    for (const entry of page) {
      const stored = versions.get(entry.workflow_id) ?? 0;
      if (stored >= entry.sequence) continue;
      // A resource that was reopened after its end has an older view.
      const isEnded = entry.kind === 'view';
      rebuilt[isEnded ? 'rows' : 'running'] += 1;
      if (!isEnded || !isApplied) continue;
      await write({ ...batchIn(entry, keyring), follows: stored });
      if (stored === 0) await markErased(db, entry);
    }
    rebuilt.workflows += page.length;
    onProgress(rebuilt);
  } while (page.length === PAGE);
  return rebuilt;
}

/** A lost row was perhaps erased. Its view entry has no personal data then, but the row needs its mark, and no tags. */
async function markErased(
  db: Kysely<Tables>,
  { workflow_id: id, resource, uid }: NewestEntry,
): Promise<void> {
  const erasedAt = await erasedSince(db, id);
  if (erasedAt === undefined) return;
  const ofUid = db.updateTable(tableOf(resource as ResourceName)).where('uid', '=', uid);
  await ofUid.set({ erased_at: erasedAt, search_tags: [] }).execute();
}

/** A view has at least the sequence of the entries of its batch. The note of an erasure changes no row. */
async function newestAfter(db: Kysely<Tables>, workflowId: string): Promise<NewestEntry[]> {
  const { rows } = await sql<NewestEntry>`
    select distinct on (workflow_id) workflow_id, sequence, kind, resource, uid, connection_id, task_follows,
      occurred_at, key_id, sealed
    from entries
    where workflow_id > ${workflowId} and not (kind = ${NOTE.kind} and name = ${NOTE.name})
      and workflow_id = case resource when 'stop' then uid else resource || '/' || uid end
      and not exists (select from tombstones as gone where (gone.resource, gone.uid) = (entries.resource, entries.uid))
    order by workflow_id, sequence desc, kind = 'view' desc
    limit ${PAGE}`.execute(db);
  return rows;
}

/** By workflow. */
async function versionsOf(db: Kysely<Tables>, entries: readonly NewestEntry[]): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const name of new Set(entries.map(({ resource }) => resource))) {
    const uids = entries.filter(({ resource }) => resource === name).map(({ uid }) => uid);
    const rows = db.selectFrom(tableOf(name as ResourceName)).where('uid', 'in', uids);
    for (const { workflow_id: id, version } of await rows.select(['workflow_id', 'version']).execute())
      versions.set(id, version);
  }
  return versions;
}

function batchIn(entry: NewestEntry, keyring: Keyring): RecordBatch {
  const { workflow_id: workflowId, sequence, kind, resource, uid, connection_id, occurred_at: at } = entry;
  const view = openEntry(keyring, { workflowId, sequence, kind }, entry);
  return {
    ...{ resource: resource as ResourceName, uid, workflowId, connectionId: connection_id ?? undefined },
    ...{ runId: '', identity: undefined, follows: 0, taskFollows: entry.task_follows ?? 0, entries: [] },
    row: { version: sequence, at: at.toISOString(), view: view as object },
  };
}
