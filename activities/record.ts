// Stores the changes of workflows in the records (PostgreSQL). A payment must never wait long for them.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { within } from './attempts/within.js';
import { recordsAway } from '../workflows/contracts/every-workflow.js';
import type { RecordBatch, RecordFailure } from '../domain/records/batch.js';
import type { Dependencies, Records } from './dependencies.js';

/** A workflow task waits for the local try. */
const LOCAL_MS = 1800;
const LONGEST_MS = 25_000;
/** After a failure, this process makes no local try for this time. */
const AWAY_MS = 30_000;

export function recordActivities({
  records,
  temporal,
  now,
}: Pick<Dependencies, 'temporal' | 'now'> & { records: Pick<Records, 'write'> }) {
  const queued = createQueues();
  let awayUntilMs = 0;

  async function write(batch: RecordBatch, limitMs: number): Promise<void> {
    if (now() < awayUntilMs) throw away(awayUntilMs - now());
    try {
      await within(records.write(batch), limitMs, () => new Error('no answer in time'));
    } catch (error) {
      awayUntilMs = now() + AWAY_MS;
      throw notStored(error);
    }
  }

  return {
    /**
     * One try within the workflow task. If it fails, the workflow learns that by a signal (workflows/engine/recorder.ts). Batches of one
     * workflow are stored in the order of their calls, and after a failure no later one is tried.
     */
    recordNow: async (batch: RecordBatch): Promise<void> => {
      try {
        await queued(batch.workflowId, () => write(batch, LOCAL_MS));
      } catch (error) {
        await temporal.workflow.getHandle(batch.workflowId).signal(recordsAway);
        throw error;
      }
    },
    /** Is retried until the database has the batch. While it is away, only one try in 30 seconds reaches it. */
    record: (batch: RecordBatch): Promise<void> => write(batch, LONGEST_MS),
  };
}

/** Runs the work for one key one after the other. */
function createQueues() {
  const last = new Map<string, Promise<void>>();
  return async (key: string, work: () => Promise<void>): Promise<void> => {
    const before = last.get(key) ?? Promise.resolve();
    const done = before.catch(() => undefined).then(work);
    last.set(key, done);
    try {
      await done;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}

const away = (leftMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'records_away' satisfies RecordFailure,
    message: 'The records (PostgreSQL) did not answer a moment ago. The changes are stored later.',
    category: ApplicationFailureCategory.BENIGN,
    // Spread, because thousands of workflows may wait for the same database.
    nextRetryDelay: Math.ceil(leftMs + Math.random() * AWAY_MS),
  });

/** The message of a database error may quote data, so only its code remains. */
const notStored = (error: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'records_failed' satisfies RecordFailure,
    message: `The records (PostgreSQL) did not store the changes: ${codeOf(error) ?? 'no answer'}. They are stored later.`,
  });

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}
