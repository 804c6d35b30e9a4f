// Waits a day for the second principal, and then ten minutes for repeats of the approved request.
import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { refused } from '../engine/refusal.js';
import { approve, requestApproval } from './contract.js';
import type { Approval, ApprovalInput, Requested } from './contract.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const REPEATS_MS = 10 * 60 * 1000;

/** Returns the principal that approved it. Undefined if the day ended first. */
export async function approval(input: ApprovalInput): Promise<string | undefined> {
  const { requestedBy } = input;
  let endsAtMs = workflowInfo().startTime.getTime() + DAY_MS;
  const pending: Approval = { requestedBy, expiresAt: new Date(endsAtMs).toISOString() };
  let approvedBy: string | undefined;
  setHandler(requestApproval, () => pending);
  setHandler(
    approve,
    ({ by }) => {
      if (approvedBy === undefined) endsAtMs = Date.now() + REPEATS_MS;
      approvedBy = by;
      return pending;
    },
    {
      validator: (given: Requested & { by: string }) => {
        assertNotEnded(endsAtMs);
        assertApprovable(input, approvedBy, given);
      },
    },
  );
  await condition(() => approvedBy !== undefined, DAY_MS);
  if (approvedBy !== undefined) await condition(() => false, REPEATS_MS);
  await condition(allHandlersFinished);
  return approvedBy;
}

/** One activation may bring an update together with the timer that ends the wait, and then the update runs first. */
function assertNotEnded(endsAtMs: number): void {
  if (Date.now() >= endsAtMs) throw refused('approval_ended', 'The time for this approval has ended.');
}

/** @throws ApplicationFailure with a code of `approve` (contract.ts). */
function assertApprovable(
  input: ApprovalInput,
  approvedBy: string | undefined,
  { by, operation, target, digest }: Requested & { by: string },
): void {
  if (by === input.requestedBy)
    throw refused('approval_of_requester', 'You requested this. Another principal must approve it.');
  if (operation !== input.operation || target !== input.target || digest !== input.digest)
    throw refused('approval_differs', 'Send the request exactly as it was made: the same path and body.');
  if (approvedBy !== undefined && approvedBy !== by)
    throw refused('approval_used', `${approvedBy} has approved this already. Make a new request.`);
}
