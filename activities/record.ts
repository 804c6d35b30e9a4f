// Stores in the records (PostgreSQL) what a worker could not store within the workflow task.
import { Context } from '@temporalio/activity';
import { withHeartbeats } from './attempts/heartbeat.js';
import type { RecordBatch, RecordOutcome, RecordWriter } from '../domain/records/batch.js';

/** How long an attempt waits before it asks the database again. */
const PAUSE_MS = 1000;

export const recordActivities = ({ records }: { records: RecordWriter }) => ({
  /** Waits until the database has the batch, or refuses its data. It does not fail while the database is away. */
  record: (batch: RecordBatch): Promise<RecordOutcome> => withHeartbeats(() => untilAnswered(records, batch)),
});

async function untilAnswered({ write }: RecordWriter, batch: RecordBatch): Promise<RecordOutcome> {
  for (;;) {
    const outcome = await write(batch).catch(() => undefined);
    if (outcome !== undefined) return outcome;
    // Rejects when the worker stops, or the run has ended.
    await Context.current().sleep(PAUSE_MS);
  }
}
