// Stores what a workflow records, within its workflow task (docs/decisions/0027-records.md).
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { recordsAway, type RecordSinks } from '../workflows/contracts/every-workflow.js';
import type { InjectedSinks } from '@temporalio/worker';
import type { RecordBatch, RecordWriter } from '../domain/records/batch.js';

const SIGNAL_MS = 5000;
/** The pauses of a sink that can neither store nor signal. */
const PAUSE_MS = { first: 200, growth: 2, most: 5000 };

/**
 * The SDK awaits a sink before the workflow task completes, and ignores its errors. So this sink returns only when the batch is stored, or the
 * workflow has the signal `recordsAway`. If neither succeeds, the task times out, and the server repeats it.
 */
export const recordSinks = (records: RecordWriter, temporal: Client): InjectedSinks<RecordSinks> => ({
  records: {
    store: {
      fn: async ({ runId }, batch) => {
        for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * PAUSE_MS.growth, PAUSE_MS.most)) {
          const stored = await newestAfter(records, batch);
          if (stored === batch.row.version) return;
          if (await isSignalled(temporal, { workflowId: batch.workflowId, runId, stored })) return;
          await delay(pauseMs);
        }
      },
      callDuringReplay: false,
    },
  },
});

/** The newest batch that the records may have of the workflow, once they were asked to store this one. */
async function newestAfter({ write }: RecordWriter, batch: RecordBatch): Promise<number> {
  const outcome = await write(batch).catch(() => undefined);
  return outcome?.refused === undefined ? (outcome?.newest ?? batch.follows) : batch.follows;
}

/** Whether the run has the signal, or has ended: then its task cannot complete. */
async function isSignalled(
  temporal: Client,
  { workflowId, runId, stored }: { workflowId: string; runId: string; stored: number },
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_MS, () =>
      temporal.workflow.getHandle(workflowId, runId).signal(recordsAway, stored),
    );
    return true;
  } catch (error) {
    return error instanceof WorkflowNotFoundError;
  }
}
