// What an agreement that is over still answers: repeats of what it had taken. All else is refused.
// In:  api/temporal/agreement-commands.ts. Out: what the run left as its result, which takes no worker to read.
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { isSame } from '../../domain/intent.js';
import { repeatOfResolution } from '../../domain/resolution.js';
import type { ActionRequest } from '../../domain/action.js';
import type { AttentionResolution, Repeat } from '../../domain/resolution.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import type { AgreementEnd } from '../../workflows/agreement/contract.js';
import { ApiError } from '../errors.js';
import type { Calls } from './calls.js';

/** A run that has ended. */
export interface Ended {
  uid: string;
  runId: string;
}

/** What a repeat is recognised by. */
type Left = Partial<Pick<AgreementEnd['carried'], 'actions' | 'facts' | 'olderIds'>>;

/** @throws ApiError `agreement_final`, or `idempotency_conflict` where the key was another request's. */
export async function assertTaken(calls: Calls, ended: Ended, request: ActionRequest): Promise<void> {
  const left = await leftBy(calls, ended);
  if (left !== undefined) return assertRepeat(repeatOfAction(left, request));
  // It was ended by force, and left nothing: its last view names the newest ten, without what they said.
  const view = await calls.ask(agreementWorkflowId(ended.uid), getAgreement);
  const known = view?.actions.find(({ key }) => key === request.key);
  assertRepeat(known === undefined ? 'none' : known.kind === request.ask.kind ? 'same' : 'other');
}

/** @throws ApiError as `assertTaken` does. */
export async function assertResolved(calls: Calls, ended: Ended, word: AttentionResolution): Promise<void> {
  const { facts = [], olderIds = [] } = (await leftBy(calls, ended)) ?? {};
  assertRepeat(repeatOfResolution({ facts, olderIds }, word));
}

export const over = (): ApiError =>
  new ApiError('agreement_final', 'This agreement is over; nothing can be asked of it.');

function repeatOfAction({ actions = [] }: Left, { key, ask }: ActionRequest): Repeat {
  const known = actions.find((action) => action.key === key);
  if (known === undefined) return 'none';
  return isSame(known.ask, ask) ? 'same' : 'other';
}

function assertRepeat(repeat: Repeat): void {
  if (repeat === 'none') throw over();
  if (repeat === 'other')
    throw new ApiError('idempotency_conflict', 'This key was used before, for something else.');
}

/** Nothing where it was ended by force, or is no longer kept. */
async function leftBy(calls: Calls, { uid, runId }: Ended): Promise<Left | undefined> {
  const run = calls.client.workflow.getHandle<() => Promise<{ carried?: Left }>>(
    agreementWorkflowId(uid),
    runId,
  );
  try {
    return (await calls.short(() => run.result())).carried;
  } catch (error) {
    if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
