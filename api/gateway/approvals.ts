// Requests, gives and uses approvals of dangerous operations.
import type { UpdateDefinition } from '@temporalio/common';
import { AWAITING, AWAITING_SINCE } from '../../workflows/contracts/search-attributes.js';
import {
  APPROVAL_WORKFLOW,
  approvalWorkflowId,
  approve,
  requestApproval,
  useApproval,
  type Approval,
  type ApprovalInput,
  type GivenApproval,
  type Presented,
} from '../../workflows/approval/contract.js';
import type { Calls } from './temporal/calls.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';
import { updateOpen, updateWithStart } from './temporal/updates.js';

interface ApprovalsGateway {
  /** A repeat with the same id returns the pending approval. */
  request: (id: string, input: ApprovalInput) => Promise<Approval>;
  /** Undefined if there is none, it was used, or its day has ended. @throws ApiError with a code of `approve` */
  approve: (id: string, presented: Presented) => Promise<GivenApproval | undefined>;
  /** Undefined if there is none, it was used, or its day has ended. @throws ApiError with a code of `useApproval` */
  use: (id: string, presented: Presented) => Promise<GivenApproval | undefined>;
}

export const createApprovalsGateway = (calls: Calls): ApprovalsGateway => ({
  request: (id, input) =>
    updateWithStart(
      calls,
      {
        workflow: APPROVAL_WORKFLOW,
        workflowId: approvalWorkflowId(id),
        args: [input],
        staticSummary: `${input.requestedBy} requests ${input.operation}`,
        typedSearchAttributes: [
          { key: AWAITING, value: 'operator' },
          { key: AWAITING_SINCE, value: new Date() },
        ],
      },
      requestApproval,
      [],
    ),
  approve: (id, presented) => present(calls, id, approve, presented),
  use: (id, presented) => present(calls, id, useApproval, presented),
});

const present = (
  calls: Calls,
  id: string,
  definition: UpdateDefinition<GivenApproval, [Presented]>,
  presented: Presented,
): Promise<GivenApproval | undefined> =>
  updateOpen(calls, approvalWorkflowId(id), definition, presented).catch((error: unknown) => {
    if (refusalIn(error)?.code === 'approval_ended') return undefined;
    throw refusedUpdate(error, 'approval_differs');
  });
