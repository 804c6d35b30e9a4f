// Makes rows and entries from the workflows that Temporal still has, for records that have lost them, for example after an old backup was restored.
import { zeroOf } from './database.js';
import { isErased } from './erase.js';
import { versionOf } from './rebuild.js';
import { createRecords } from './write.js';
import type { Kysely } from 'kysely';
import type { RecordBatch } from '../domain/records/batch.js';
import type { Maintenance } from './database.js';
import type { Tables } from './tables.js';

export interface Refilled {
  workflows: number;
  rows: number;
  facts: number;
  /** Workflows whose personal data was erased. They bring nothing back. */
  erased: number;
  /** Workflows that did not answer. Run the command again once a worker is there. */
  unanswered: number;
}

export interface RefillOptions extends Maintenance<Refilled> {
  /** What each workflow knows; undefined if it did not answer. */
  batches: AsyncIterable<RecordBatch | undefined>;
}

/** Stores each row that is missing or older, and each fact that is not stored for its workflow. A repeat changes nothing. */
export async function refill({ batches, ...options }: RefillOptions): Promise<Refilled> {
  const { db, keyring, isApplied, onProgress } = options;
  const refilled = zeroOf('workflows', 'rows', 'facts', 'erased', 'unanswered');
  const { write } = createRecords({ db, keyring });
  for await (const batch of batches) {
    refilled.workflows += 1;
    if (batch === undefined) refilled.unanswered += 1;
    else if (await isErased(db, batch.workflowId)) refilled.erased += 1;
    else {
      const entries = await missingIn(db, batch);
      const stored = await versionOf(db, batch);
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

async function missingIn(
  db: Kysely<Tables>,
  { workflowId, entries }: RecordBatch,
): Promise<RecordBatch['entries']> {
  const stored = await db
    .selectFrom('entries')
    .select(['fact_id', 'sequence'])
    .where('workflow_id', '=', workflowId)
    .execute();
  const facts = new Set(stored.map(({ fact_id: id }) => id));
  const sequences = new Set(stored.map(({ sequence }) => sequence));
  return entries.filter(({ factId, sequence }) =>
    factId === undefined ? !sequences.has(sequence) : !facts.has(factId),
  );
}
