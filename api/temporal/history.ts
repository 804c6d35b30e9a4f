// What the API asks of the provider's history: a short workflow reads it, and every reader of the same part shares its run.
// In:  api/temporal/agreements.ts. Out: workflows/history/workflow.ts, by its contract alone.
import { createHash } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { z } from 'zod';
import { HISTORY_REFUSALS } from '../../domain/timeline.js';
import { HISTORY_WORKFLOW, historyWorkflowId } from '../../workflows/history/contract.js';
import type { HistoryAnswer, HistoryQuestion } from '../../workflows/history/contract.js';
import { AGREEMENT_UID, CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import { ApiError } from '../errors.js';
import type { Upstream } from '../errors.js';
import { workerUnavailable } from './calls.js';
import type { Calls } from './calls.js';

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
    throw refusalIn(error, question.connectionId) ?? error;
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

const Refusal = z.object({
  status: z.int().optional(),
  providerCodes: z.array(z.string()),
  requiredScope: z.string().optional(),
});
type Refusal = z.output<typeof Refusal>;

/** What the provider has decided, and asking again changes nothing of. */
const DECIDED: ReadonlySet<string> = new Set(HISTORY_REFUSALS);

/** Why there is no answer, for the caller; undefined where that is nothing that a reading may end with. */
function refusalIn(error: unknown, connectionId: string): ApiError | undefined {
  if (!(error instanceof WorkflowFailedError)) return undefined;
  if (error.cause instanceof TimeoutFailure) return workerUnavailable(error);
  if (!(error.cause instanceof ApplicationFailure)) return undefined;
  const { type: code, details } = error.cause;
  const { data } = Refusal.safeParse(details?.[0]);
  if (typeof code !== 'string' || data === undefined) return undefined;
  return problemOf(code, data, connectionId, error);
}

function problemOf(code: string, refusal: Refusal, connectionId: string, cause: unknown): ApiError {
  const isDecided = DECIDED.has(code);
  const upstream = upstreamOf(refusal, !isDecided && code !== 'forbidden');
  const again = `Consent again: POST /v1/connections/${connectionId}/reauthorisation.`;
  if (code === 'needs_reauthorisation') {
    const detail = `Older facts are read from the provider, and connection ${connectionId} has no consent at present. ${again}`;
    return new ApiError('needs_reauthorisation', detail, { cause });
  }
  if (code === 'forbidden') {
    const scope = refusal.requiredScope ?? 'one that the provider did not name';
    const detail = `Older facts are read from the provider, and the consent lacks a scope: ${scope}. ${again}`;
    return new ApiError('consent_lacks_scope', detail, { upstream, cause });
  }
  if (isDecided) {
    const detail = 'The provider refused to answer its history of this agreement.';
    return new ApiError('provider_refused', detail, { upstream, cause });
  }
  const detail =
    'Older facts are read from the provider, which has not answered in time. Repeat the same request later.';
  return new ApiError('provider_unavailable', detail, { upstream, cause });
}

const upstreamOf = ({ status, providerCodes: codes }: Refusal, retryable: boolean): Upstream | undefined =>
  status === undefined ? undefined : { status, codes, retryable };
