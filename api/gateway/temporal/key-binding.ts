// Binds an Idempotency-Key to the uid in the request before the resource exists. Payments and refunds need no binding, because
// their agreement or payment remembers the key.
import { WorkflowFailedError } from '@temporalio/client';
import { isOtherUse } from '../../../domain/commands/key-use.js';
import type { KeyUse } from '../../../domain/commands/key-use.js';
import { AGREEMENT_UID } from '../../../workflows/contracts/search-attributes.js';
import {
  KEY_WORKFLOW,
  freedWorkflowId,
  keyWorkflowId,
  nextKeyWorkflowId,
} from '../../../workflows/key/contract.js';
import type { BoundTo } from '../../../workflows/key/contract.js';
import { keyConflict } from '../../http/idempotency.js';
import { PROBLEMS } from '../../http/problems/codes.js';
import { ApiError } from '../../http/problems/errors.js';
import { BOUNDS } from './calls.js';
import type { Calls } from './calls.js';
import { startFirst } from './start.js';

type Keyed = 'agreement' | 'client' | 'counterparty' | 'onboarding' | 'batch';

/**
 * Binds the key on first use, compares a repeat with the binding, and does the work. If the work of a first use is refused, the key is free again
 * for the corrected request.
 * @throws ApiError `idempotency_conflict` if the key is bound to a different request.
 */
export async function withKey<T>(
  calls: Calls,
  use: KeyUse | undefined,
  what: Keyed,
  work: () => Promise<T>,
): Promise<T> {
  if (use === undefined) return work();
  const newRunId = await bindOrCompare(calls, use, what);
  try {
    return await work();
  } catch (error) {
    if (newRunId !== undefined && isRefusal(error))
      await start(calls, freedWorkflowId(use.key, newRunId), use, what);
    throw error;
  }
}

/** False for an error after which the resource may exist. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && PROBLEMS[error.code].status < 500;

/**
 * Returns the id of the run that binds the key from now on; undefined if the same request has bound it before. A run that was freed has a
 * successor, whose id names it. So of two requests that find it freed, one binds the key.
 */
async function bindOrCompare(calls: Calls, use: KeyUse, what: Keyed): Promise<string | undefined> {
  for (let workflowId = keyWorkflowId(use.key); ;) {
    const newRunId = await start(calls, workflowId, use, what);
    if (newRunId !== undefined) return newRunId;
    const { runId, bound } = await boundBy(calls, workflowId);
    if ((await calls.describe(freedWorkflowId(use.key, runId))) === undefined) {
      // A terminated run has lost its binding. Refuse, because the request may differ from the first one.
      if (bound === undefined || isOtherUse(bound, use)) throw keyConflict();
      return undefined;
    }
    workflowId = nextKeyWorkflowId(use.key, runId);
  }
}

/** Starts a run that returns the request. Undefined if one with this id exists. */
const start = (
  calls: Calls,
  workflowId: string,
  { key: _, ...boundTo }: KeyUse,
  what: Keyed,
): Promise<string | undefined> =>
  startFirst(calls, {
    workflow: KEY_WORKFLOW,
    options: {
      workflowId,
      args: [boundTo],
      staticSummary: `Idempotency-Key of ${what} ${boundTo.uid}`,
      typedSearchAttributes: what === 'agreement' ? [{ key: AGREEMENT_UID, value: boundTo.uid }] : [],
    },
  });

async function boundBy(
  { client, short, ofWorker }: Calls,
  workflowId: string,
): Promise<{ runId: string; bound: BoundTo | undefined }> {
  const run = client.workflow.getHandle<() => Promise<BoundTo>>(workflowId);
  const { runId } = await short(() => run.describe());
  try {
    return { runId, bound: await ofWorker(BOUNDS.query, () => run.result()) };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    return { runId, bound: undefined };
  }
}
