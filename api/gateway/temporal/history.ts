// Reads the provider's history through a short workflow. All readers of the same part share its run.
import { createHash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { HISTORY_WORKFLOW, historyWorkflowId } from '../../../workflows/history/contract.js';
import type { HistoryAnswer, HistoryQuestion } from '../../../workflows/history/contract.js';
import { AGREEMENT_UID, CONNECTION_ID } from '../../../workflows/entity/search-attributes.js';
import type { Calls } from './calls.js';
import { refusedReading } from './refusals.js';

/** The run gives up after 20 s. A longer silence means that the worker is unavailable. */
const ANSWER_MS = 23_000;

/**
 * Starts a reading, joins one in progress, or returns the result of a completed one. Facts older than all stored ones do not
 * change, so each part is read once. A failed reading is started again.
 * @throws ApiError with `upstream` if the provider refused.
 */
export async function readOlder(calls: Calls, question: HistoryQuestion): Promise<HistoryAnswer> {
  const workflowId = historyWorkflowId(question.uid, digestOf(question));
  await calls.short(() => begin(calls, workflowId, question));
  const answered = () => calls.client.workflow.getHandle<HistoryRun>(workflowId).result();
  return calls.ofWorker(ANSWER_MS, answered).catch((error: unknown) => {
    throw refusedReading(error, question.connectionId) ?? error;
  });
}

type HistoryRun = (question: HistoryQuestion) => Promise<HistoryAnswer>;

async function begin(
  { client, taskQueue }: Calls,
  workflowId: string,
  question: HistoryQuestion,
): Promise<void> {
  const { uid, connectionId } = question;
  try {
    await client.workflow.start(HISTORY_WORKFLOW, {
      workflowId,
      taskQueue,
      args: [question],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      // A later result is useless: by then the caller has received `worker_unavailable`.
      workflowExecutionTimeout: '1m',
      staticSummary: `Read older facts of agreement ${uid} for its timeline`,
      typedSearchAttributes: [
        { key: CONNECTION_ID, value: connectionId },
        { key: AGREEMENT_UID, value: uid },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const digestOf = (question: HistoryQuestion): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 32);
