// Makes the rows again from the entries of the kind `view`, for example after a change of the columns.
import { readFeed, placeOf } from './feed.js';
import { openEntry } from './sealed.js';
import { tableOf } from './tables.js';
import { createRecords } from './write.js';
import type { Kysely } from 'kysely';
import type { RecordBatch } from '../domain/records/batch.js';
import type { ResourceName } from '../domain/resources.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Maintenance } from './database.js';
import type { Place, StoredEntry } from './feed.js';
import type { Tables } from './tables.js';

export interface Rebuilt {
  /** Views that were read. */
  views: number;
  /** Rows that were missing or older, and are now written, unless it was a dry run. */
  rows: number;
}

const PAGE = 500;

/**
 * Reads all views in the order of the feed. To make all rows with new columns, delete the rows first, as the owner.
 * @throws SealError if a key is missing.
 */
export async function rebuildRows({
  db,
  keyring,
  isApplied,
  onProgress,
}: Maintenance<Rebuilt>): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { views: 0, rows: 0 };
  const { write } = createRecords({ db, keyring });
  let after: Place | undefined;
  for (;;) {
    const page = await readFeed(db, { after, kind: 'view', limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return rebuilt;
    for (const batch of newestOf(page).map((entry) => batchIn(entry, keyring))) {
      const stored = await versionOf(db, batch);
      if (stored >= batch.row.version) continue;
      rebuilt.rows += 1;
      if (isApplied) await write({ ...batch, follows: stored });
    }
    rebuilt.views += page.length;
    after = placeOf(last);
    onProgress(rebuilt);
  }
}

/** The newest view of each workflow. The older ones would be replaced at once. */
function newestOf(page: readonly StoredEntry[]): StoredEntry[] {
  const newest = new Map<string, StoredEntry>();
  for (const entry of page)
    if (entry.sequence >= (newest.get(entry.workflow_id)?.sequence ?? 0))
      newest.set(entry.workflow_id, entry);
  return [...newest.values()];
}

function batchIn(entry: StoredEntry, keyring: Keyring): RecordBatch {
  const { workflow_id: workflowId, sequence, kind, resource, uid, connection_id, occurred_at: at } = entry;
  const view = openEntry(keyring, { workflowId, sequence, kind }, entry);
  return {
    ...{ resource: resource as ResourceName, uid, workflowId, connectionId: connection_id ?? undefined },
    ...{ runId: '', follows: 0, taskFollows: entry.task_follows ?? 0, entries: [] },
    row: { version: sequence, at: at.toISOString(), view: view as object },
  };
}

/** The version of the stored row. 0: there is none. */
export async function versionOf(
  db: Kysely<Tables>,
  { resource, uid }: Pick<RecordBatch, 'resource' | 'uid'>,
): Promise<number> {
  const found = await db
    .selectFrom(tableOf(resource))
    .select('version')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return found?.version ?? 0;
}
