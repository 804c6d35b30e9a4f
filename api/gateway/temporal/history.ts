// What the API asks of the provider's history: a short workflow reads it, and every reader of the same part shares its run.
import { createHash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { HISTORY_WORKFLOW, historyWorkflowId } from '../../../workflows/history/contract.js';
import type { HistoryAnswer, HistoryQuestion } from '../../../workflows/history/contract.js';
import { AGREEMENT_UID, CONNECTION_ID } from '../../../workflows/entity/search-attributes.js';
import type { Calls } from './calls.js';
import { refusedReading } from './refusals.js';

/** The run itself gives up after 20 s; who is silent for longer is the worker. */
const ANSWER_MS = 23_000;

/**
 * Begins the reading, or joins the one that is under way, or finds the answer of one that was: what is older than all that
 * is kept does not change, so that a part is read once however often it is asked for. One that failed is begun anew.
 * @throws ApiError with `upstream` where the provider refused.
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
      // Later the answer would be of no use: the caller has been answered that no worker is there.
      workflowExecutionTimeout: '1m',
      staticSummary: `older facts of agreement ${uid}, for a reader of its timeline`,
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
