// Binds an Idempotency-Key to the uid in the request before the resource exists. Payments and refunds need no binding, because
// their agreement or payment remembers the key.
import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { isOtherUse } from '../../../domain/commands/key-use.js';
import type { KeyUse } from '../../../domain/commands/key-use.js';
import { AGREEMENT_UID } from '../../../workflows/entity/search-attributes.js';
import { KEY_WORKFLOW, keyWorkflowId } from '../../../workflows/key/contract.js';
import type { BoundTo } from '../../../workflows/key/contract.js';
import { keyConflict } from '../../http/idempotency.js';
import { BOUNDS } from './calls.js';
import type { Calls } from './calls.js';

/**
 * Binds the key on first use, and compares a repeat with the binding.
 * @throws ApiError `idempotency_conflict` if the key is bound to a different request.
 */
export async function bindKey(
  calls: Calls,
  use: KeyUse | undefined,
  what: 'agreement' | 'client' | 'counterparty' | 'onboarding' | 'batch' = 'agreement',
): Promise<void> {
  if (use === undefined || (await bind(calls, use, what))) return;
  const bound = await boundTo(calls, use.key);
  // A terminated run has lost its binding. Refuse, because the request may differ from the first one.
  if (bound === undefined || isOtherUse(bound, use)) throw keyConflict();
}

async function bind(
  { client, short, taskQueue }: Calls,
  { key, ...boundTo }: KeyUse,
  what: 'agreement' | 'client' | 'counterparty' | 'onboarding' | 'batch',
): Promise<boolean> {
  const begin = () =>
    client.workflow.start(KEY_WORKFLOW, {
      workflowId: keyWorkflowId(key),
      taskQueue,
      args: [boundTo],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `Idempotency-Key of ${what} ${boundTo.uid}`,
      typedSearchAttributes: what === 'agreement' ? [{ key: AGREEMENT_UID, value: boundTo.uid }] : [],
    });
  try {
    await short(begin);
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}

async function boundTo({ client, ofWorker }: Calls, key: string): Promise<BoundTo | undefined> {
  const run = client.workflow.getHandle<() => Promise<BoundTo>>(keyWorkflowId(key));
  try {
    return await ofWorker(BOUNDS.query, () => run.result());
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    return undefined;
  }
}
