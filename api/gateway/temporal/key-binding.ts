// Binds an Idempotency-Key to the uid in the request before the resource exists: in the records (PostgreSQL), or by a run while they are away.
// Payments and refunds need no binding, because their agreement or payment remembers the key.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { isOtherUse, type KeyUse } from '../../../domain/commands/key-use.js';
import type { KeyRequest } from '../../../domain/records/bound-key.js';
import { AGREEMENT_UID } from '../../../workflows/contracts/search-attributes.js';
import { KEY_WORKFLOW, MEMO, keyWorkflowId } from '../../../workflows/key/contract.js';
import { keyConflict } from '../../http/idempotency.js';
import { PROBLEMS } from '../../http/problems/codes.js';
import { ApiError } from '../../http/problems/errors.js';
import { noneIfAway } from '../records.js';
import { BOUNDS, noneIfNotFound, type Calls } from './calls.js';

type Keyed = 'agreement' | 'client' | 'counterparty' | 'onboarding' | 'batch';

/**
 * Binds the key on first use, compares a repeat with the binding, and does the work. A key never answers: a repeat continues with the work. If the work of
 * a first use is refused, the key is free again for the corrected request.
 * @throws ApiError `idempotency_conflict` if the key is bound to a different request.
 */
export async function withKey<T>(
  calls: Calls,
  use: KeyUse | undefined,
  what: Keyed,
  work: () => Promise<T>,
): Promise<T> {
  if (use === undefined) return work();
  const free = await bind(calls, { ...use, resource: what });
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await free();
    throw error;
  }
}

/** False for an error after which the resource may exist. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && PROBLEMS[error.code].status < 500;

type Free = () => Promise<void>;

/** A repeat does not free the key of the first use. */
const KEPT: Free = () => Promise.resolve();

async function bind(calls: Calls, request: KeyRequest): Promise<Free> {
  const bound = await calls.recorded.ask(({ bindKey }) => bindKey(request)).catch(noneIfAway);
  if (bound === undefined) return bindByRun(calls, request);
  if (isOtherUse(bound, request)) throw keyConflict();
  return bound.uses > 1 ? KEPT : firstInRecords(calls, request);
}

/** A run may have bound the key while the records were away, and not have copied it yet. */
async function firstInRecords(calls: Calls, request: KeyRequest): Promise<Free> {
  const free = (): Promise<void> => freeInRecords(calls, request);
  try {
    const byRun = await boundByRun(calls, request.key);
    if (byRun === undefined) return free;
    if (isOtherUse(byRun, request)) throw keyConflict();
    return KEPT;
  } catch (error) {
    await free();
    throw error;
  }
}

async function bindByRun(calls: Calls, request: KeyRequest): Promise<Free> {
  for (;;) {
    const bound = await boundByRun(calls, request.key);
    if (bound !== undefined && isOtherUse(bound, request)) throw keyConflict();
    if (bound !== undefined) return KEPT;
    const runId = await start(calls, request);
    if (runId !== undefined) return () => freeRun(calls, request, runId);
  }
}

/** The request to which a run has bound the key. Undefined if there is none, or if it was cancelled: then the key is free. @throws ApiError `idempotency_conflict` */
async function boundByRun({ client, short }: Calls, key: string): Promise<KeyRequest | undefined> {
  const run = client.workflow.getHandle(keyWorkflowId(key));
  const found = await short(() => run.describe()).catch(noneIfNotFound);
  if (found === undefined || found.status.name === 'CANCELLED') return undefined;
  const bound = found.memo?.[MEMO] as KeyRequest | undefined;
  // Refuse, because the request may differ from the first one.
  if (bound === undefined) throw keyConflict();
  return bound;
}

/** Starts a run that binds the key. Undefined if another request has started one. */
async function start({ client, short, taskQueue }: Calls, request: KeyRequest): Promise<string | undefined> {
  const { key, resource, uid } = request;
  try {
    const run = await short(() =>
      client.workflow.start(KEY_WORKFLOW, {
        ...{ workflowId: keyWorkflowId(key), taskQueue, args: [request], memo: { [MEMO]: request } },
        // After a cancelled run: the key is free.
        ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY', workflowIdConflictPolicy: 'FAIL' },
        staticSummary: `Idempotency-Key of ${resource} ${uid}`,
        typedSearchAttributes: resource === 'agreement' ? [{ key: AGREEMENT_UID, value: uid }] : [],
      }),
    );
    return run.firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

/** The key is free once a worker has ended the run. The run may have copied the key before. */
async function freeRun(calls: Calls, request: KeyRequest, runId: string): Promise<void> {
  const { client, short, ofWorker } = calls;
  const run = client.workflow.getHandle(keyWorkflowId(request.key), runId);
  await short(() => run.cancel()).catch(noneIfNotFound);
  await ofWorker(BOUNDS.query, () => run.result()).catch(() => undefined);
  await freeInRecords(calls, request);
}

/** Without an answer, the key stays bound to the refused request. */
const freeInRecords = ({ recorded }: Calls, { resource: _, ...use }: KeyRequest): Promise<void> =>
  recorded.ask(({ freeKey }) => freeKey(use)).catch(noneIfAway);
