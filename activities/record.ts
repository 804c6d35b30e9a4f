// Stores the changes of workflows in the records (PostgreSQL). A payment must never wait long for them.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { within } from './attempts/within.js';
import type { RecordBatch } from '../domain/records/batch.js';
import type { Dependencies } from './dependencies.js';

/** Shorter than the two seconds of the local activity, so that we notice the failure ourselves. */
const LOCAL_MS = 1800;
const LONGEST_MS = 25_000;
/** After a failure, this process makes no local try for this time. A workflow task would wait for each of them. */
const AWAY_MS = 30_000;

export function recordActivities({ records, now }: Pick<Dependencies, 'records' | 'now'>) {
  let awayUntilMs = 0;

  async function write(batch: RecordBatch, limitMs: number): Promise<void> {
    try {
      await within(records.write(batch), limitMs, () => new Error('no answer in time'));
      awayUntilMs = 0;
    } catch (error) {
      // A batch that the database refuses says nothing about the next one.
      if (!isOfTheBatch(error)) awayUntilMs = now() + AWAY_MS;
      throw notStored(error);
    }
  }

  return {
    /** One try within the workflow task. Fails at once while the database is away. */
    recordNow: async (batch: RecordBatch): Promise<void> => {
      if (now() < awayUntilMs) throw away(awayUntilMs - now());
      await write(batch, LOCAL_MS);
    },
    /** Is retried until the database has the batch. While the database is away, only one try in 30 seconds reaches it. */
    record: async (batch: RecordBatch): Promise<void> => {
      if (now() < awayUntilMs) throw away(awayUntilMs - now());
      await write(batch, LONGEST_MS);
    },
  };
}

const away = (leftMs: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'records_away',
    message: 'The records (PostgreSQL) did not answer a moment ago. The changes are stored later.',
    category: ApplicationFailureCategory.BENIGN,
    // Spread, because thousands of workflows may wait for the same database.
    nextRetryDelay: Math.ceil(leftMs + Math.random() * AWAY_MS),
  });

/** The message of a database error may quote data, so only its code remains. */
const notStored = (error: unknown): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'records_failed',
    message: `The records (PostgreSQL) did not store the changes: ${codeOf(error) ?? 'no answer'}. They are stored later.`,
  });

/** SQLSTATE classes of errors in the data of one statement: data exception, integrity constraint, program limit. */
const OF_THE_BATCH = /^(22|23|54)/;
const isOfTheBatch = (error: unknown): boolean => OF_THE_BATCH.test(codeOf(error) ?? '');

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}
