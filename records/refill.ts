// Makes rows and entries from the workflows that Temporal still has, for records that have lost them, for example after an old backup was restored.
import { factIdOf } from './batch-rows.js';
import { zeroOf, type Maintenance } from './database.js';
import { markComplete, markIncomplete } from './incomplete.js';
import { otherWorkflowId } from './conflicts.js';
import { erasedSince } from './erase.js';
import { tableOf, type Tables } from './tables.js';
import { createRecords } from './write.js';
import type { Kysely } from 'kysely';
import type { RecordBatch } from '../domain/records/batch.js';

export interface Refilled {
  workflows: number;
  rows: number;
  facts: number;
  /** Workflows whose personal data was erased, or whose row has expired. They bring nothing back. */
  erased: number;
  /** Workflows that did not answer. Run the command again once a worker is there. */
  unanswered: number;
}

export interface RefillOptions extends Maintenance<Refilled> {
  /** What each workflow knows; undefined if it did not answer. */
  batches: AsyncIterable<RecordBatch | undefined>;
}

/**
 * Stores each row that is missing or older, and each fact that is not stored for its workflow. A repeat changes nothing. The rows are marked as
 * incomplete until all workflows have answered.
 */
export async function refill(options: RefillOptions): Promise<Refilled> {
  const { db, isApplied } = options;
  if (!isApplied) return refillEach(options);
  await markIncomplete(db, 'rebuild --from-workflows');
  const refilled = await refillEach(options);
  if (refilled.unanswered === 0) await markComplete(db, 'rebuild --from-workflows');
  return refilled;
}

async function refillEach({ batches, db, keyring, isApplied, onProgress }: RefillOptions): Promise<Refilled> {
  const refilled = zeroOf('workflows', 'rows', 'facts', 'erased', 'unanswered');
  const { write } = createRecords({ db, keyring });
  for await (const batch of batches) {
    refilled.workflows += 1;
    if (batch === undefined) refilled.unanswered += 1;
    else if (await isOver(db, batch)) refilled.erased += 1;
    else {
      const { workflowId, version: stored } = await placeOf(db, batch);
      const entries = await missingIn(db, workflowId, batch);
      const isRowMissing = stored < batch.row.version;
      refilled.rows += isRowMissing ? 1 : 0;
      refilled.facts += entries.length;
      if (isApplied && (isRowMissing || entries.length > 0))
        await write({ ...batch, entries, follows: stored });
    }
    onProgress(refilled);
  }
  return refilled;
}

async function isOver(db: Kysely<Tables>, { workflowId, resource, uid }: RecordBatch): Promise<boolean> {
  const tombs = db.selectFrom('tombstones').where('resource', '=', resource).where('uid', '=', uid);
  return (
    (await tombs.select('gone_at').executeTakeFirst()) !== undefined ||
    (await erasedSince(db, workflowId)) !== undefined
  );
}

/** Where the entries of the thing are, and its version. 0: it has no row. The row of the uid may be of another thing. */
async function placeOf(
  db: Kysely<Tables>,
  { workflowId, resource, uid, identity }: RecordBatch,
): Promise<{ workflowId: string; version: number }> {
  const ofUid = db.selectFrom(tableOf(resource)).where('uid', '=', uid);
  const row = await ofUid.select(['version', 'identity']).executeTakeFirst();
  if (identity === undefined || (row?.identity ?? identity) === identity)
    return { workflowId, version: row?.version ?? 0 };
  const others = db.selectFrom('conflicts').where('resource', '=', resource).where('uid', '=', uid);
  const other = await others.where('identity', '=', identity).select('version').executeTakeFirst();
  return { workflowId: otherWorkflowId(workflowId, identity), version: other?.version ?? 0 };
}

async function missingIn(
  db: Kysely<Tables>,
  workflowId: string,
  { entries }: RecordBatch,
): Promise<RecordBatch['entries']> {
  const stored = await db
    .selectFrom('entries')
    .select(['fact_id', 'sequence'])
    .where('workflow_id', '=', workflowId)
    .execute();
  const facts = new Set(stored.map(({ fact_id: id }) => id));
  const sequences = new Set(stored.map(({ sequence }) => sequence));
  return entries.filter(({ factId, sequence, data }) =>
    factId === undefined ? !sequences.has(sequence) : !facts.has(factIdOf(factId, data)),
  );
}
