// How the key of a request that names the uid of an agreement, a client, a counterparty, an onboarding or a batch is bound to it, before that is there to remember it.
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
 * The first request with a key binds it, and a repeat finds what it is bound to.
 * @throws ApiError `idempotency_conflict` where that is something else.
 */
export async function bindKey(
  calls: Calls,
  use: KeyUse | undefined,
  what: 'agreement' | 'client' | 'counterparty' | 'onboarding' | 'batch' = 'agreement',
): Promise<void> {
  if (use === undefined || (await bind(calls, use, what))) return;
  const bound = await boundTo(calls, use.key);
  // One that was ended by force does not say any more, and what cannot be distinguished from another request is refused.
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
      staticSummary: `the Idempotency-Key that ${what} ${boundTo.uid} was asked for with`,
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
