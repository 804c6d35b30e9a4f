// Waits a day at most: for a second principal that approves a request, and for the first one that uses the approval.
import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { refused } from '../engine/refusal.js';
import {
  approve,
  requestApproval,
  useApproval,
  type Approval,
  type ApprovalInput,
  type GivenApproval,
  type Presented,
} from './contract.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the approval that was used. Undefined if the day ended first. */
export async function approval(input: ApprovalInput): Promise<GivenApproval | undefined> {
  const startedAtMs = workflowInfo().startTime.getTime();
  const pending: Approval = {
    requestedBy: input.requestedBy,
    requestedAt: new Date(startedAtMs).toISOString(),
    expiresAt: new Date(startedAtMs + DAY_MS).toISOString(),
  };
  let given: GivenApproval | undefined;
  let used: GivenApproval | undefined;
  const validate = (presented: Presented): void => {
    assertOpen(Date.now() < startedAtMs + DAY_MS && presented.requestedAt === pending.requestedAt, used);
    assertSame(input, presented);
  };
  setHandler(requestApproval, () => given ?? pending);
  setHandler(approve, ({ by }) => (given = { ...pending, approvedBy: by }), {
    validator: (presented: Presented) => {
      validate(presented);
      assertApprovable(input, given, presented);
    },
  });
  setHandler(useApproval, (presented) => (used = usable(input, given, presented)), {
    validator: (presented: Presented) => {
      validate(presented);
      usable(input, given, presented);
    },
  });
  await condition(() => used !== undefined, DAY_MS);
  await condition(allHandlersFinished);
  return used;
}

/** One activation may bring an update together with the timer or the use that ends the wait, and then the update runs first. */
function assertOpen(isCurrent: boolean, used: GivenApproval | undefined): void {
  if (used !== undefined)
    throw refused('approval_used', 'This approval was used. An approval is valid once: make a new request.');
  if (!isCurrent)
    throw refused('approval_ended', 'The time for this approval has ended, or it is of an earlier request.');
}

function assertSame(input: ApprovalInput, { operation, target, digest }: Presented): void {
  if (operation !== input.operation || target !== input.target || digest !== input.digest)
    throw refused(
      'approval_differs',
      'Expected exactly the request that was made: the same path and body, about the same state. If it has changed, make a new request.',
    );
}

/** The approver is the principal of the key that approves, and never the one that requested. */
function assertApprovable(input: ApprovalInput, given: Approval | undefined, { by }: Presented): void {
  if (by === input.requestedBy)
    throw refused('approval_of_requester', 'You requested this. Another principal must approve it.');
  if (given?.approvedBy !== undefined && given.approvedBy !== by)
    throw refused('approval_used', `${given.approvedBy} has approved this already.`);
}

/** @throws ApplicationFailure unless another principal has approved it and the one that requested it asks. */
function usable(input: ApprovalInput, given: GivenApproval | undefined, { by }: Presented): GivenApproval {
  if (by !== input.requestedBy)
    throw refused(
      'approval_differs',
      `Only ${input.requestedBy}, which requested this, can use the approval.`,
    );
  if (given === undefined)
    throw refused('approval_of_requester', 'You requested this. Another principal must approve it first.');
  return given;
}
