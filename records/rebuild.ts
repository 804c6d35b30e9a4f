// Makes the rows again from the entries of the kind `view`, for example after a change of the columns.
import { readFeed, placeOf } from './feed.js';
import { openEntry } from './sealed.js';
import { tableOf } from './tables.js';
import { upsertRow } from './write.js';
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
  let after: Place | undefined;
  for (;;) {
    const page = await readFeed(db, { after, kind: 'view', limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return rebuilt;
    for (const row of newestOf(page).map((entry) => rowIn(entry, keyring)))
      if (await isMissing(db, row)) {
        rebuilt.rows += 1;
        if (isApplied) await upsertRow(keyring, row).execute(db);
      }
    rebuilt.views += page.length;
    after = placeOf(last);
    onProgress(rebuilt);
  }
}

type Row = Omit<RecordBatch, 'entries'>;

/** The newest view of each workflow. The older ones would be replaced at once. */
function newestOf(page: readonly StoredEntry[]): StoredEntry[] {
  const newest = new Map<string, StoredEntry>();
  for (const entry of page)
    if (entry.sequence >= (newest.get(entry.workflow_id)?.sequence ?? 0))
      newest.set(entry.workflow_id, entry);
  return [...newest.values()];
}

function rowIn(entry: StoredEntry, keyring: Keyring): Row {
  const { workflow_id: workflowId, sequence, kind, resource, uid, connection_id, occurred_at: at } = entry;
  const view = openEntry(keyring, { workflowId, sequence, kind }, entry);
  return {
    ...{ resource: resource as ResourceName, uid, workflowId, connectionId: connection_id ?? undefined },
    row: { version: sequence, at: at.toISOString(), view: view as object },
  };
}

/** Whether there is no row, or an older one. */
export async function isMissing(
  db: Kysely<Tables>,
  { resource, uid, row: { version } }: Row,
): Promise<boolean> {
  const found = await db
    .selectFrom(tableOf(resource))
    .select('version')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return found === undefined || found.version < version;
}
