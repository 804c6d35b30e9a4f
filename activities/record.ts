// Stores in the records (PostgreSQL) what a worker could not store within the workflow task.
import { Context } from '@temporalio/activity';
import { SealError } from '../sealing/keyring.js';
import { withHeartbeats } from './attempts/heartbeat.js';
import type { RecordBatch, RecordOutcome, RecordWriter } from '../domain/records/batch.js';
import type { RecordMemory, Remembered } from '../domain/records/remembered.js';
import type { ResourceName } from '../domain/resources.js';

/** How long an attempt waits before it asks the database again. */
const PAUSE_MS = 1000;

export const recordActivities = ({ records }: { records: RecordWriter & RecordMemory }) => ({
  /** Waits until the database has the batch, or refuses its data. It does not fail while the database is away. */
  record: (batch: RecordBatch): Promise<RecordOutcome> =>
    withHeartbeats(() => untilAnswered(() => records.write(batch))),
  /** What the records have of a thing. Waits while the database is away. Undefined: they never had it. */
  readRecord: ({ resource, uid }: { resource: ResourceName; uid: string }): Promise<Remembered | undefined> =>
    withHeartbeats(
      async () =>
        (await untilAnswered(async () => ({ found: await records.remembered(resource, uid) }))).found,
    ),
});

/** Asks the database until it answers. @throws SealError */
export async function untilAnswered<Answer extends object>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof SealError) throw error;
    });
    if (answer !== undefined) return answer;
    // Rejects when the worker stops, or the run has ended.
    await Context.current().sleep(PAUSE_MS);
  }
}
